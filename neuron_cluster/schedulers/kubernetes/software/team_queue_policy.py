"""The admission policy against use of devices past Kueue: pods with devices of a queue that no queue counts.

Requests of members and operators are judged, at the object that they write: pods that controllers make of it have what
its template has. Kueue manages the kinds of ``POD_MAKERS`` by their label; of ReplicaSets it manages the pods.
Source: kubernetes-sigs/kueue@ff69552, pkg/controller/jobs, pkg/controller/jobframework.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from local_kubernetes.model.names import (
    EFA,
    FORMER_NEURON_RESOURCES,
    GROUP_LABEL,
    NEURON_CLASS_RESOURCE,
    NEURON_RESOURCES,
    QUEUE_NAME_LABEL,
)
from local_kubernetes.model.pod_templates import TEMPLATE_PLACES
from neuron_cluster.plan.team import Team
from neuron_cluster.schedulers.kubernetes.software.admission_policy import (
    UPDATE,
    MatchedResources,
    Validation,
    has_path,
    literal,
)
from neuron_cluster.schedulers.kubernetes.software.team_nodes import TeamNodes
from neuron_cluster.schedulers.kubernetes.software.team_queue_updates import (
    claims_of,
    containers_of,
    keeps_its_size,
    requests_devices,
)
from neuron_cluster.schedulers.kubernetes.software.team_roles import POD_MAKERS
from neuron_cluster.schedulers.kubernetes.software.training_runtimes import runtime_name

KIND = "request.kind.kind"
DEVICES = (*NEURON_RESOURCES, *FORMER_NEURON_RESOURCES, NEURON_CLASS_RESOURCE, EFA)
TRAIN_JOB, WORKLOAD = "TrainJob", "Workload"
MANAGED_METADATA = ("labels", "finalizers", "ownerReferences")
"""Metadata of a Workload by which Kueue finds its job and counts it."""
REPLICA_SET = "ReplicaSet"
MANAGED_BY_POD = ("Deployment", REPLICA_SET)
"""Kinds whose pods Kueue manages by a label of their template: it takes no ReplicaSet for the owner of a Workload."""
KINDS = (
    *("Pod", "Deployment", "ReplicaSet", "StatefulSet", "Job", "CronJob", "JobSet"),
    *("MPIJob", "PyTorchJob", "LeaderWorkerSet"),
)
"""Kinds of ``POD_MAKERS`` with templates in the object; a TrainJob has them in its runtime."""


def queue_resources() -> tuple[MatchedResources, ...]:
    """Returns the resources that the policy matches in addition to pods."""
    makers = (MatchedResources(group, tuple(resources)) for group, resources in POD_MAKERS.items() if group)
    return (*makers, MatchedResources("kueue.x-k8s.io", ("workloads",), operations=(UPDATE,)))


def queue_variables(team: Team, nodes: TeamNodes) -> Mapping[str, str]:
    """``passes`` and ``passed``: whether the object passes its queue, and whether it did before an update."""
    groups = literal([team.group, team.operator_group])
    return {
        "isMember": f"request.userInfo.groups.exists(each, each in {groups})",
        "devices": literal(list(DEVICES)),
        "specs": _specs("object"),
        "specsBefore": f'request.operation == "{UPDATE}" ? {_specs("oldObject")} : []',
        "withDevices": f"variables.specs.filter(each, {_has_devices('each')})",
        "withDevicesBefore": f"variables.specsBefore.filter(each, {_has_devices('each')})",
        "passes": _passes("object", "variables.withDevices", nodes),
        "passed": f'request.operation == "{UPDATE}" && {_passes("oldObject", "variables.withDevicesBefore", nodes)}',
    }


def queue_validations(nodes: TeamNodes) -> Iterator[Validation]:
    """An update is judged by what it changes: what ran before the policy, and jobs of a JobSet, may be updated."""
    own = [group.name for group in nodes.unqueued]
    where = f", or select a node group without a queue ({GROUP_LABEL}: {' or '.join(own)})" if own else ""
    yield Validation(
        "!variables.isMember || !variables.passes || variables.passed",
        f"pods with Neuron devices or EFA interfaces of a queue start by the queue: add the label {QUEUE_NAME_LABEL} "
        f"and no owner{where}",
    )
    yield Validation(
        f"!variables.isMember || !variables.passes || !variables.passed || "
        f"((!({_is_labelled('oldObject')}) || {_is_labelled('object')}) && {keeps_its_size(KIND)})",
        "what starts without its queue keeps its owner and label, and gets no more pods or devices: create it anew, "
        f"with the label {QUEUE_NAME_LABEL} and no owner",
    )
    gates = "oldObject.spec.schedulingGates.all(each, has(object.spec.schedulingGates) && "
    gates += "each in object.spec.schedulingGates)"
    yield Validation(
        f'!variables.isMember || {KIND} != "Pod" || request.operation != "{UPDATE}" || '
        f"!has(oldObject.spec.schedulingGates) || {gates}",
        "Kueue removes the scheduling gates of a pod when it admits it; members may not",
    )
    yield Validation(
        f'!variables.isMember || {KIND} != "{WORKLOAD}" || ({_only_active()})',
        "members may change spec.active of a Workload, and nothing else",
    )


def _only_active() -> str:
    """All other fields of the specification are as before, and so is the metadata that Kueue manages."""
    spec = (
        'object.spec.all(key, key == "active" || (key in oldObject.spec && object.spec[key] == oldObject.spec[key]))'
        ' && oldObject.spec.all(key, key == "active" || key in object.spec)'
    )
    kept = (
        f"(has(object.metadata.{each}) ? has(oldObject.metadata.{each}) && object.metadata.{each} == "
        f"oldObject.metadata.{each} : !has(oldObject.metadata.{each}))"
        for each in MANAGED_METADATA
    )
    return " && ".join((spec, *kept))


def _passes(body: str, with_devices: str, nodes: TeamNodes) -> str:
    """Whether pods with devices may run on nodes of a queue, and no queue admits them."""
    runtimes = [runtime_name(group) for group in nodes.unqueued]
    elsewhere = (
        f"has({body}.spec.runtimeRef) && {body}.spec.runtimeRef.name in {literal(runtimes)} && "
        f"!has({body}.spec.podTemplateOverrides) && !has({body}.spec.runtimePatches)"
    )
    uses_queue = (
        f'({KIND} == "{TRAIN_JOB}" ? !({elsewhere}) : !{with_devices}.all(each, {_is_elsewhere("each", nodes)}))'
    )
    return f"{uses_queue} && !({_has_queue(body)})"


def _is_elsewhere(spec: str, nodes: TeamNodes) -> str:
    """Whether its node selector names a group or an instance type that no queue counts."""
    by_label = (
        f"({literal(label)} in {spec}.nodeSelector && {spec}.nodeSelector[{literal(label)}] in {literal(values)})"
        for label, values in nodes.unqueued_labels.items()
        if values
    )
    either = " || ".join(by_label) or "false"
    return f"(has({spec}.nodeSelector) && ({either}))"


def _has_queue(body: str) -> str:
    """Returns the condition of an object with a queue. One with an owner is not held back: Kueue counts the owner."""
    return f"{_is_labelled(body)} && !has({body}.metadata.ownerReferences)"


def _is_labelled(body: str) -> str:
    label = literal(QUEUE_NAME_LABEL)

    def labelled(metadata: str) -> str:
        return f'(has({metadata}.labels) && {label} in {metadata}.labels && {metadata}.labels[{label}] != "")'

    job, template = f"{body}.spec.jobTemplate", f"{body}.spec.template"
    of_cron_job = f"has({job}.metadata) && {labelled(f'{job}.metadata')}"
    of_pods = (
        f"{KIND} in {literal(list(MANAGED_BY_POD))} && has({template}.metadata) && {labelled(f'{template}.metadata')}"
    )
    of_owner = f'{KIND} != "{REPLICA_SET}" && {labelled(f"{body}.metadata")}'
    return f'({KIND} == "CronJob" ? {of_cron_job} : ({of_owner}) || ({of_pods}))'


def _specs(body: str) -> str:
    """Specifications of the pods of each kind; none of a kind that has no template."""
    kinds: dict[tuple[str, ...], list[str]] = {}
    for kind in KINDS:
        kinds.setdefault(TEMPLATE_PLACES[kind], []).append(kind)
    cases = (
        f"{KIND} in {literal(alike)} ? {' + '.join(_specs_of_place(body, place) for place in places)} : "
        for places, alike in kinds.items()
    )
    return f"({''.join(cases)}[])"


def _specs_of_place(body: str, place: str) -> str:
    """``*`` stands for each item of a list, or for each value of a map, as in MPIJobs and PyTorchJobs. Custom
    resources may lack each step."""
    head, star, tail = place.partition(".*.")
    if not star:
        path = f"{place}.spec" if place else "spec"
        return f"({has_path(body, path)} ? [{body}.{path}] : [])"
    items = f"{body}.{head}"
    item = f"{items}[each]" if head.endswith("ReplicaSpecs") else "each"
    with_pods = f"{items}.filter(each, {has_path(item, f'{tail}.spec')}).map(each, {item}.{tail}.spec)"
    return f"({has_path(body, head)} ? {with_pods} : [])"


def _has_devices(spec: str) -> str:
    """Returns the condition of a pod with devices: by requests or limits of a container, or by a claim."""
    by_container = f"{containers_of(spec)}.exists(container, {requests_devices('container')})"
    return f"({by_container} || {claims_of(spec)}.size() > 0)"
