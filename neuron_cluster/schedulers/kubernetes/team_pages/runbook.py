"""The five commonest failures of a team's workloads, with commands that its members may run."""

from __future__ import annotations

from collections.abc import Iterator

from local_kubernetes.model.names import EFA, GROUP_LABEL, NEURON, QUEUE_NAME_LABEL
from neuron_cluster.findings.text import counted, listed
from neuron_cluster.pages.document import Commands, Document, Paragraph, Section
from neuron_cluster.schedulers.kubernetes.team_pages.guide import INTERACTIVE, HandOver
from neuron_cluster.schedulers.kubernetes.team_pages.starter_jobs import StarterJob
from neuron_cluster.schedulers.kubernetes.workloads.device_allocation import DRA, device_allocation_mode
from neuron_cluster.table import Table

POD = "POD"
"""In commands: the name of a pod, which a member fills in."""


def runbook(pack: HandOver) -> Document:
    """The page."""
    space = f"--namespace {pack.home}"
    sections = (
        Section("1. A job or pod is pending", tuple(_pending(pack, space))),
        Section("2. Out of memory", tuple(_memory(space))),
        Section("3. Each start compiles again", tuple(_cache(pack, space))),
        Section("4. EFA is absent", tuple(_efa(pack, space))),
        Section("5. The driver does not fit the image", tuple(_driver(pack, space))),
    )
    lead = f"Replace {POD} by the name of a pod: `kubectl get pods {space}` lists them."
    return Document(f"Runbook of team {pack.team.name} on {pack.plan.name}", lead, sections)


def _pending(pack: HandOver, space: str) -> Iterator[Paragraph | Commands | Table]:
    yield Paragraph(
        "Look at the Workload of the job first, then at its pods: a job in a queue has no pods until Kueue admits it."
    )
    yield Commands(
        (
            f"kubectl get workloads.kueue.x-k8s.io {space}",
            f"kubectl describe workloads.kueue.x-k8s.io {space}",
            f"kubectl describe localqueues.kueue.x-k8s.io {space}",
            f"kubectl describe pod {POD} {space}",
            f"kubectl describe resourcequota {space}",
            f"kubectl get events {space} --sort-by=.lastTimestamp",
            *([f"kubectl describe resourceclaims.resource.k8s.io {space}"] if _has_claims(pack) else []),
        )
    )
    yield Table("Reasons", ("message", "meaning", "what to do"), tuple(_reasons(pack, space)))


def _has_claims(pack: HandOver) -> bool:
    return device_allocation_mode(pack.cluster) == DRA


def _reasons(pack: HandOver, space: str) -> Iterator[tuple[str, str, str]]:
    yield from _of_kueue(pack)
    yield from _of_devices(pack)
    yield (
        "`untolerated taint`, `didn't match Pod's node affinity`",
        "the pod does not tolerate the taint of Neuron nodes, or selects other nodes",
        _placement(pack),
    )
    yield (
        "`exceeded quota: neuron-cluster-team`",
        "pods request more than the ResourceQuota of the namespace",
        "delete finished or idle pods",
    )
    yield (
        "`violates PodSecurity`",
        "the Pod Security level of the namespace rejects the pod",
        "run as a user other than root, without host paths and added capabilities"
        + (f", as {INTERACTIVE} does" if isinstance(pack.one_device, StarterJob) else ""),
    )
    yield (
        "`persistentvolumeclaim … not found`, `unbound immediate PersistentVolumeClaims`",
        "the claim is not in this namespace",
        f"`kubectl get persistentvolumeclaims {space}`",
    )


def _of_kueue(pack: HandOver) -> Iterator[tuple[str, str, str]]:
    queues = ", ".join(f"`{queue}`" for queue in dict.fromkeys(share.queue for share in pack.shares)) or "none"
    yield (
        "`insufficient unused quota`",
        "the quota is in use, and nothing more may be borrowed now",
        "wait, delete a job of the team, or ask for a higher quota",
    )
    yield (
        "`insufficient quota` with `maximum capacity`",
        "the job requests more than quota and borrowing allow",
        "request fewer nodes or devices",
    )
    if pack.cluster.is_governed:
        yield (
            "`hyperpod-task-governance-admission-policy … denied request`",
            f"the pod, or the template of its job, has no label `{QUEUE_NAME_LABEL}`",
            f"add the label to the job and to the template of its pods: {queues}",
        )
    yield "`LocalQueue` does not exist", "the label names another queue", f"queues of the team: {queues}"
    yield (
        "`Preempted`, reason `InCohortReclamation`",
        "another team needs devices that the job borrowed",
        "it starts again by itself; keep checkpoints",
    )


def _of_devices(pack: HandOver) -> Iterator[tuple[str, str, str]]:
    """kube-scheduler names claims, or the resource of a device plugin."""
    wait = "wait for the nodes; delete pods without a queue"
    used = "nodes are still added, or a pod without a queue uses them"
    if not _has_claims(pack):
        message = f"`Insufficient {NEURON}`, `Insufficient {EFA}`"
        yield message, f"admitted, and no node has so many free: {used}", wait
        return
    example = f" of {INTERACTIVE}" if isinstance(pack.one_device, StarterJob) else ""
    yield (
        "`cannot allocate all claims`",
        f"admitted, and no node has the devices of the ResourceClaim of the pod free: {used}",
        f"{wait}; the ResourceClaims above name the pods that have devices (Reserved For)",
    )
    yield (
        f"`Insufficient {NEURON}`",
        "nodes have no such resource: the DRA driver allocates devices to ResourceClaims",
        f"copy the ResourceClaimTemplate{example}, and request it in `resourceClaims`",
    )
    yield f"`Insufficient {EFA}`", f"admitted, and no node has so many interfaces free: {used}", wait


def _placement(pack: HandOver) -> str:
    """Where a pod of a member's own gets the place on Neuron nodes from."""
    if isinstance(pack.one_device, StarterJob):
        return f"copy `tolerations` and `nodeSelector` of {INTERACTIVE}"
    taints = sorted({f"`{taint.key}`" for share in pack.shares for taint in share.group.lasting_taints})
    groups = listed((f"`{GROUP_LABEL}: {share.group.name}`" for share in pack.shares), "or")
    return f"tolerate {listed(taints)}, and write {groups} in `nodeSelector`"


def _memory(space: str) -> Iterator[Paragraph | Commands | Table]:
    yield Paragraph("Two memories can be exhausted: the memory of the pod, and that of the Neuron device.")
    yield Commands(
        (
            f"kubectl get pod {POD} {space} --output=jsonpath='{{.status.containerStatuses[*].lastState}}'",
            f"kubectl logs {POD} {space} --previous --tail=100",
            f"kubectl exec {POD} {space} -- /opt/aws/neuron/bin/neuron-ls",
            f"kubectl exec -it {POD} {space} -- /opt/aws/neuron/bin/neuron-top",
        )
    )
    rows = (
        ("`OOMKilled`, exit code 137", "the container exceeded its memory limit", "raise the memory request and limit"),
        (
            "an allocation error of the Neuron runtime (`nrt`, `NRT_RESOURCE`)",
            "model, activations or KV cache do not fit the memory of a core",
            "divide the model over more cores, or lower batch size, sequence length or concurrent requests",
        ),
        ("exit code 135 (SIGBUS)", "`/dev/shm` is full", "raise the size of its volume"),
    )
    yield Table("Which one", ("sign", "meaning", "what to do"), rows)


def _cache(pack: HandOver, space: str) -> Iterator[Paragraph | Commands]:
    yield Paragraph(
        "Compiled graphs are found again by program, shapes, compiler version and flags. Another image, batch size, "
        "sequence length or number of cores compiles anew; so does a pod without a shared cache."
    )
    yield Commands(
        (
            f"kubectl logs {POD} {space} | grep --ignore-case --extended-regexp 'cached neff|compil'",
            f"kubectl exec {POD} {space} -- env | grep --extended-regexp 'COMPILE_CACHE|NEURON_CC_FLAGS'",
        )
    )
    job = pack.training if isinstance(pack.training, StarterJob) else pack.serving
    cache = job.values.get("compileCache", {}) if isinstance(job, StarterJob) else {}
    where = cache.get("claim") or cache.get("configMap") or cache.get("url")
    if where:
        yield Paragraph(f"The starter jobs keep graphs in `{where}`: name the same cache in jobs of your own.")
    yield Paragraph("`Using a cached neff` in the log means that a graph was found.")


def _efa(pack: HandOver, space: str) -> Iterator[Paragraph | Commands]:
    with_efa = [share for share in pack.shares if share.group.machine.efa_interfaces]
    if not with_efa:
        yield Paragraph(
            "The node groups of the team have no EFA interfaces: use jobs of one node. Jobs of several nodes wait for "
            "interfaces that no node has."
        )
        return
    for share in with_efa:
        yield Paragraph(
            f"A node of {share.group.name} has {counted(share.group.machine.efa_interfaces, 'EFA interface')}. A pod "
            f"of a job on several nodes requests all of them as `{EFA}`; a pod without the request sees none, and the "
            "job is slow or fails at its first collective."
        )
    yield Commands(
        (
            f"kubectl get pod {POD} {space} --output=jsonpath='{{.spec.containers[*].resources.requests}}'",
            f"kubectl exec {POD} {space} -- /opt/amazon/efa/bin/fi_info -p efa",
            f"kubectl exec {POD} {space} -- env | grep --extended-regexp 'FI_|CCOM_'",
        )
    )
    yield Paragraph("`fi_info` prints a block for each interface. `FI_PROVIDER` is `efa` in jobs of several nodes.")


def _driver(pack: HandOver, space: str) -> Iterator[Paragraph | Commands]:
    yield Paragraph(
        f"The driver of the nodes is that of Neuron SDK {pack.plan.neuron_sdk}, or of the AMI release that the "
        "environment pins. A runtime of a newer release than the driver fails when it opens the device, and an old one "
        "may be rejected."
    )
    yield Commands(
        (
            f"kubectl get pod {POD} {space} --output=jsonpath='{{.spec.containers[*].image}}'",
            f"kubectl exec {POD} {space} -- cat /sys/module/neuron/version",
            f"kubectl exec {POD} {space} -- /opt/aws/neuron/bin/neuron-ls",
            f"kubectl logs {POD} {space} --tail=100",
        )
    )
    image = "of the table Images in [README.md](README.md)" if pack.images else "with the runtime of this release"
    yield Paragraph(f"Use an image {image}. The contact of the page updates nodes.")
