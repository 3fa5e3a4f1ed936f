"""Judges the objects of one release by every law."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from neuron_cluster.findings import Finding, Location, in_reading_order
from neuron_cluster.manifest_law.discover import all_laws
from neuron_cluster.manifest_law.render import Render


def judge_manifests(
    objects: Iterable[Mapping[str, Any]],
    *,
    source: str,
    namespace: str,
    namespaces: Iterable[str] = (),
    pod_security: str = "baseline",
    only: Collection[str] | None = None,
) -> list[Finding]:
    """Findings over rendered objects. Give what is installed together together: laws look from one to the other.

    ``source`` says in findings where the objects come from (a chart, a file). ``namespace`` is the release's,
    ``namespaces`` are others that exist in the cluster, ``pod_security`` is the level of those that do not say theirs.
    ``only`` are the ids of the laws to judge by; None: all.
    A finding's path is the object and the field: ``Deployment/server spec.template.spec.containers[0].image``.
    """
    render = Render(objects, namespace=namespace, namespaces=namespaces, pod_security=pod_security)
    return in_reading_order(
        Finding(law.id, Location(source, path=f"{judged.place} {refusal.path}"), refusal.message, refusal.hint)
        for law in all_laws()
        if only is None or law.id in only
        for judged in render.objects
        if not law.kinds or judged.kind in law.kinds
        for refusal in law.check(judged, render)
    )
