"""Checks the objects of one release with every rule."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from local_kubernetes.model.pod_security.control import NEWEST
from local_kubernetes.model.release import Release
from neuron_cluster.findings.finding import Finding, Location, in_reading_order
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import ManifestContext, ManifestRule, Needs
from neuron_cluster.schedulers.kubernetes.manifest_rules.discover import all_manifest_rules


def check_manifests(
    objects: Iterable[Mapping[str, Any]],
    *,
    source: str,
    namespace: str,
    namespaces: Iterable[str] = (),
    pod_security: str = "baseline",
    minor: int = NEWEST,
    only: Collection[str] | None = None,
) -> list[Finding]:
    """Findings in rendered objects. Pass all objects of a release together: rules follow references between them.

    ``source`` is the chart or file of the objects, for the findings. ``namespace`` is that of the release,
    ``namespaces`` are others that exist in the cluster, ``pod_security`` is the level of namespaces without a label and
    ``minor`` the minor version of its policy.
    ``only`` are the ids of the rules to apply; None: all.
    A finding's path is the object and the field: ``Deployment/server spec.template.spec.containers[0].image``.
    """
    release = Release(objects, namespace=namespace, namespaces=namespaces, pod_security=pod_security, minor=minor)
    return in_reading_order(
        Finding(rule.id, Location(source, path=f"{context.object.place} {found.path}"), found.message, found.hint)
        for rule in all_manifest_rules()
        if only is None or rule.id in only
        for context in _contexts(rule, release)
        for found in rule.check(context)
    )


def _contexts(rule: ManifestRule, release: Release) -> Iterator[ManifestContext]:
    for obj in release.objects:
        if rule.kinds and obj.kind not in rule.kinds:
            continue
        if rule.needs is Needs.OBJECT:
            yield ManifestContext(object=obj, release=release)
        else:
            for template in release.templates_of(obj):
                yield ManifestContext(object=obj, release=release, given_template=template)
