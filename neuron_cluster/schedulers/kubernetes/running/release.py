"""One release of a bundled chart in a cluster: its controllers, its pods, and its Workloads in Kueue."""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterable, Iterator

from msgspec import Struct

from local_kubernetes.model.fields import at, items, text, text_pairs
from local_kubernetes.model.names import GROUP_LABEL, QUEUE_NAME_LABEL
from local_kubernetes.model.objects import HOOK, KubernetesObject, labels_of
from local_kubernetes.model.pod_templates import PodTemplate, pod_templates
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.suggestions import did_you_mean_one_of
from neuron_cluster.schedulers.kubernetes.running.cluster_state import (
    ClusterState,
    Object,
    annotations_of,
    created_at,
    name_of,
    namespace_of,
    owners_of,
)

CONTROLLERS = ("JobSet", "MPIJob", "PyTorchJob", "LeaderWorkerSet", "Deployment", "CronJob", "Job")
CHART_LABEL, INSTANCE_LABEL = "app.kubernetes.io/name", "app.kubernetes.io/instance"
COMPONENT_LABEL = "app.kubernetes.io/component"
RELEASE_ANNOTATION = "meta.helm.sh/release-name"
"""On every object that helm installs (helm/helm: pkg/action/validate.go)."""


class Release(Struct, frozen=True, dict=True):
    """``controllers`` are the objects of the chart that have pods; ``pods`` are those that exist."""

    name: str
    namespace: str
    chart: str
    controllers: tuple[Object, ...]
    pods: tuple[Object, ...]
    jobs: tuple[Object, ...]
    """Jobs that a controller has made."""
    workloads: tuple[Object, ...]
    """Kueue's."""
    neighbours: tuple[str, ...] = ()
    """Controllers of other releases in the namespace."""

    @functools.cached_property
    def templates(self) -> tuple[PodTemplate, ...]:
        found = (KubernetesObject(body, self.namespace) for body in self.controllers)
        return tuple(template for one in found for template in pod_templates(one))

    @property
    def queue(self) -> str:
        """The LocalQueue; empty without one."""
        return next((label for body in self.controllers if (label := labels_of(body).get(QUEUE_NAME_LABEL))), "")

    @property
    def groups(self) -> tuple[str, ...]:
        """Node groups that its pods select."""
        return tuple(dict.fromkeys(found for each in self.selectors if (found := each.get(GROUP_LABEL))))

    @property
    def selectors(self) -> tuple[dict[str, str], ...]:
        """Node selectors of its pods."""
        return tuple(text_pairs(at(template.spec, "nodeSelector")) for template in self.templates)

    @property
    def claims(self) -> tuple[str, ...]:
        """Names of the PersistentVolumeClaims that its pods mount."""
        volumes = (each for template in self.templates for each in items(at(template.spec, "volumes")))
        names = (text(at(each, "persistentVolumeClaim", "claimName")) for each in volumes)
        return tuple(dict.fromkeys(name for name in names if name))

    @property
    def created_at(self) -> str | None:
        return min((moment for body in self.controllers if (moment := created_at(body))), default=None)

    def is_of(self, name: str) -> bool:
        """Whether an object of this name is the release's: a controller, or what one has made.

        Of ``llama`` and ``llama-2`` the longer name decides.
        """
        return _longest(map(name_of, self.controllers), name) > _longest(self.neighbours, name)


def releases_in(state: ClusterState, charts: Collection[str]) -> list[Release]:
    """All releases of these charts, by namespace and name."""
    found: dict[tuple[str, str, str], list[Object]] = {}
    for body in state.of_kind(*CONTROLLERS):
        labels = labels_of(body)
        if labels.get(CHART_LABEL) in charts and not owners_of(body) and HOOK not in annotations_of(body):
            key = (namespace_of(body), labels.get(INSTANCE_LABEL, ""), labels[CHART_LABEL])
            found.setdefault(key, []).append(body)
    return [_release(state, key, tuple(bodies)) for key, bodies in sorted(found.items())]


def find_release(found: list[Release], name: str, release: str | None, namespace: str | None) -> Release:
    """The release of this name, or the only one of the chart of this name. Raises ``ToolkitError``."""
    named = [each for each in found if each.name == (release or name)]
    if release is None and not named:
        named = [each for each in found if each.chart == name]
    elif release is not None and name != release:
        named = [each for each in named if each.chart == name]
    if len(named) == 1:
        return named[0]
    where = f"namespace {namespace}" if namespace else "the cluster"
    listed = ", ".join(f"{each.name} ({each.chart})" for each in found) or "none"
    if named:
        raise ToolkitError(f"{where} has {len(named)} releases of {name}: {listed}", hint="name one with --release")
    suggested = did_you_mean_one_of(release or name, [each.name for each in found])
    raise ToolkitError(
        f"{where} has no release {release or name} of a bundled chart",
        hint=f"{suggested}releases: {listed}; --namespace selects another namespace",
    )


def _release(state: ClusterState, key: tuple[str, str, str], controllers: tuple[Object, ...]) -> Release:
    namespace, instance, chart = key
    own = {(str(at(body, "kind")), name_of(body)) for body in controllers}
    labels = {CHART_LABEL: chart, INSTANCE_LABEL: instance}
    pods = tuple(
        body
        for body in state.of_kind("Pod")
        if namespace_of(body) == namespace
        and labels.items() <= labels_of(body).items()
        and HOOK not in annotations_of(body)
    )
    jobs = tuple(_owned(state, "Job", namespace, own))
    makers = own | {("Job", name_of(body)) for body in jobs} | {("Pod", name_of(body)) for body in pods}
    workloads = tuple(_owned(state, "Workload", namespace, makers))
    names = (annotations_of(body).get(RELEASE_ANNOTATION) for body in controllers)
    name = next((found for found in names if found), instance)
    neighbours = tuple(
        name_of(body)
        for body in state.of_kind(*CONTROLLERS)
        if namespace_of(body) == namespace and not owners_of(body) and body not in controllers
    )
    return Release(name, namespace, chart, controllers, pods, jobs, workloads, neighbours)


def _longest(makers: Iterable[str], name: str) -> int:
    """Length of the longest name of a maker that ``name`` begins with; 0 without one."""
    return max((len(each) for each in makers if name == each or name.startswith(f"{each}-")), default=0)


def _owned(state: ClusterState, kind: str, namespace: str, owners: set[tuple[str, str]]) -> Iterator[Object]:
    for body in state.of_kind(kind):
        if namespace_of(body) == namespace and owners & set(owners_of(body)):
            yield body
