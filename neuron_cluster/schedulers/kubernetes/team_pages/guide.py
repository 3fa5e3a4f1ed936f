"""The first page of the hand-over pack: what a member of a team needs from login to the first job."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from local_kubernetes.model.chart_values import merged
from local_kubernetes.model.objects import KubernetesObject
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.handover.people import people_section
from neuron_cluster.pages.document import Commands, Document, Paragraph, Section, Steps
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.plan.namespace_plan import WorkloadNamespacePlan
from neuron_cluster.plan.team import Team
from neuron_cluster.protocol.team_pack import RUNBOOK, CommandPlace
from neuron_cluster.schedulers.kubernetes.team_pages.access_section import login_section, rights_section
from neuron_cluster.schedulers.kubernetes.team_pages.job_size import JobSize
from neuron_cluster.schedulers.kubernetes.team_pages.own_jobs import SHELL_HOURS
from neuron_cluster.schedulers.kubernetes.team_pages.quota_section import priorities, quota_section
from neuron_cluster.schedulers.kubernetes.team_pages.shares import GroupShare, team_namespaces
from neuron_cluster.schedulers.kubernetes.team_pages.starter_jobs import NoJob, StarterJob, render_command
from neuron_cluster.schedulers.kubernetes.team_pages.storage_section import storage_section
from neuron_cluster.schedulers.kubernetes.team_pages.team_storage import SHARED_PATH, claims_of
from neuron_cluster.table import Table

NONE = "none"
SMOKE_TEST, INTERACTIVE, TRAINING, SERVING = (
    "smoke-test.yaml",
    "jobs/interactive.yaml",
    "jobs/training.yaml",
    "jobs/serving.yaml",
)
ASK = "Ask the contact of this page whether the cluster can have what it needs."
JOB_LABEL = "batch.kubernetes.io/job-name"
"""Label of pods of Jobs (https://kubernetes.io/docs/reference/labels-annotations-taints/#batchkubernetesio-job-name)."""


class HandOver(Struct, frozen=True):
    """The input of the pages."""

    plan: ClusterPlan
    cluster: KubernetesPlan
    team: Team
    place: CommandPlace
    shares: tuple[GroupShare, ...]
    own: tuple[GroupShare, ...]
    """Node groups of the team alone, without a queue."""
    training: StarterJob | NoJob
    serving: StarterJob | NoJob
    one_device: StarterJob | NoJob
    """The job whose image and placement the shell and the smoke test have."""
    others: Mapping[str, str] = {}
    """Other clusters of the team, in words, by the path of their page."""

    @property
    def namespaces(self) -> tuple[WorkloadNamespacePlan, ...]:
        return team_namespaces(self.cluster, self.team)

    @property
    def home(self) -> str:
        """The namespace of the jobs of the pack, else of those that may wait in a queue, else the first."""
        if isinstance(self.one_device, StarterJob):
            return self.one_device.namespace
        return self.shares[0].namespace if self.shares else self.team.namespaces[0]

    @property
    def images(self) -> Mapping[str, Sequence[str]]:
        """The images of the environment and of the jobs of the pack, with the users of each."""
        jobs = {"training": self.training, "serving": self.serving, "shell and smoke test": self.one_device}
        used: dict[str, list[str]] = {image: ["neuron.containers"] for image in self.plan.containers}
        for name, job in jobs.items():
            if isinstance(job, StarterJob):
                used.setdefault(job.prepared.workload.chosen.image, []).append(name)
        return used


def guide(pack: HandOver, catalog: Catalog) -> Document:
    """The page; its sections are in the order in which a new member needs them."""
    plan, cluster, team = pack.plan, pack.cluster, pack.team
    lead = (
        f"The share of team {team.name} in the cluster `{cluster.name}` (Kubernetes {cluster.version}, Neuron SDK "
        f"{plan.neuron_sdk}), account {plan.account}, Region {plan.region}. Written by `neuron-cluster onboard`: "
        "write it again after an edit of the environment file."
    )
    sections = (
        people_section(team),
        login_section(plan, cluster, team, pack.home),
        rights_section(cluster, team, pack.namespaces),
        quota_section(pack.shares, pack.own, cluster, team, priorities(plan, cluster)),
        storage_section(plan, cluster, pack.namespaces),
        Section("Images", tuple(_images(pack, catalog))),
        Section("First job", tuple(_first_jobs(pack))),
        Section("Starter jobs", tuple(_starter_jobs(pack))),
        Section("Failures and leaving", tuple(_closing(team, pack.others))),
    )
    return Document(f"Team {team.name} on {plan.name}", lead, sections)


def _images(pack: HandOver, catalog: Catalog) -> Iterator[Paragraph | Table]:
    rows = tuple((f"`{image}`", ", ".join(of)) for image, of in pack.images.items())
    if rows:
        yield Table("Images", ("image", "used by"), rows)
    else:
        yield Paragraph("No image is known for the Neuron devices of the team: build one of your own.")
    sdk = catalog.neuron_sdks.get(pack.plan.neuron_sdk)
    parts = {"driver": sdk.driver, "runtime": sdk.runtime, "compiler": sdk.compiler} if sdk is not None else {}
    known = ", ".join(f"{name} {version}" for name, version in parts.items() if version)
    yield Paragraph(
        f"The nodes follow Neuron SDK {pack.plan.neuron_sdk}{f' ({known})' if known else ''}. Use an image of this "
        "release, or of one before it."
    )
    if pack.team.images:
        yield Table("Allowed images", ("entry",), tuple((f"`{each}`",) for each in pack.team.images))
        yield Paragraph(
            "Pods in the namespaces of the team may run only these. An entry with / at its end is a folder of "
            "repositories, one without a tag and digest a repository with any. A Job with another image has no pods: "
            "`kubectl describe job` shows the reason."
        )
    if not pack.plan.network.has_internet:
        yield Paragraph(
            f"Nodes have no route to the internet: they pull images from ECR in {pack.plan.region} alone, and pods "
            "install no packages from public indexes. A pod with an image that ECR does not have stays in "
            "`ImagePullBackOff`: ask the contact of this page to copy the images of the table there, which "
            "`neuron-cluster images` with `--commands` does for those of `neuron.containers`."
        )


def _first_jobs(pack: HandOver) -> Iterator[Paragraph | Steps]:
    job = pack.one_device
    if isinstance(job, NoJob):
        yield Paragraph(f"There is no smoke test and no shell: {'; '.join(job.causes)}.")
        return
    space = f"--namespace {job.namespace}"
    writes = " and writes to each claim" if claims_of(pack.plan, pack.cluster, job.namespace) else ""
    yield Paragraph("Run these commands in the folder of this page.")
    items = [
        (
            f"The smoke test requests one Neuron device, lists it{writes}: {_link(SMOKE_TEST)}.",
            (
                f"kubectl apply -f {SMOKE_TEST}",
                f"kubectl wait {space} --for=condition=complete job/smoke-test --timeout=60m",
                f"kubectl logs {space} job/smoke-test",
                f"kubectl delete -f {SMOKE_TEST}",
            ),
        ),
        (
            f"A shell in a pod with one Neuron device, for {SHELL_HOURS} hours at most: {_link(INTERACTIVE)}.",
            (
                f"kubectl apply -f {INTERACTIVE}",
                f"kubectl wait {space} --for=condition=ready pod --selector={JOB_LABEL}=interactive --timeout=60m",
                f"kubectl exec {space} -it job/interactive -- bash",
                f"kubectl delete -f {INTERACTIVE}",
            ),
        ),
        *_training_steps(pack.training, space),
        *_serving_steps(pack.serving, space),
    ]
    yield Steps(tuple(items))


def _training_steps(job: StarterJob | NoJob, space: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    if isinstance(job, NoJob):
        return
    name = _name_of(job, "JobSet")
    yield (
        f"The training job runs an example on synthetic data and keeps checkpoints: {_link(TRAINING)}.",
        (
            f"kubectl apply -f {TRAINING}",
            f"kubectl get {space} workloads.kueue.x-k8s.io",
            f"kubectl get {space} jobsets.jobset.x-k8s.io {name}",
            f"kubectl logs {space} --selector=jobset.sigs.k8s.io/jobset-name={name} --prefix --tail=20",
            f"kubectl delete -f {TRAINING}",
        ),
    )


def _serving_steps(job: StarterJob | NoJob, space: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    if isinstance(job, NoJob):
        return
    kind = "Deployment" if any(body["kind"] == "Deployment" for body in job.objects) else "LeaderWorkerSet"
    name, service = _name_of(job, kind), _name_of(job, "Service")
    yield (
        f"The server {_link(SERVING)} reads its model from {_weights(job)}: copy the files there first, in the shell.",
        (
            f"kubectl apply -f {SERVING}",
            f"kubectl get {space} pods --selector=app.kubernetes.io/instance=serving",
            f"kubectl rollout status {space} deployment/{name} --timeout=90m",
            f"kubectl port-forward {space} service/{service} 8000:8000",
            f"kubectl delete -f {SERVING}",
        ),
    )


def _name_of(job: StarterJob, kind: str) -> str:
    return next(KubernetesObject(body, "").name for body in job.objects if body["kind"] == kind)


def _weights(job: StarterJob) -> str:
    """The folder of the model, with the path that the claim has in the shell."""
    weights = merged(job.prepared.workload.chosen.chart.defaults, job.values)["weights"]
    folder = "/".join(filter(None, (SHARED_PATH, weights.get("folder"), weights["path"])))
    return f"`{folder}` (claim `{weights['claim']}`)"


def _link(name: str) -> str:
    return f"[{name}]({name})"


def _starter_jobs(pack: HandOver) -> Iterator[Paragraph | Table | Commands]:
    jobs = {TRAINING: pack.training, SERVING: pack.serving}
    made = {name: job for name, job in jobs.items() if isinstance(job, StarterJob)}
    rows = tuple((_link(name), *_size_row(job.size)) for name, job in made.items())
    if isinstance(pack.one_device, StarterJob):
        rows += tuple((_link(name), *_size_row(pack.one_device.size)) for name in (INTERACTIVE, SMOKE_TEST))
    if rows:
        yield Table("Sizes", ("file", "queue", "node group", "nodes", "devices of a node", "size"), rows)
    for name, job in jobs.items():
        if isinstance(job, NoJob):
            yield Paragraph(f"There is no {name}: {'; '.join(job.causes)}. {ASK}")
    if made:
        yield Paragraph(
            f"These commands print the same objects. Run them {pack.place.text}. `--set` and `--values` set your own "
            "program; `workload rehearse` in the place of `workload render` runs the job on your machine."
        )
        yield Commands(tuple(render_command(job, pack.place.environment) for job in made.values()))


def _size_row(size: JobSize) -> tuple[str, ...]:
    share = size.share
    return (
        f"`{share.queue}`" if share.queue else NONE,
        share.group.name,
        str(size.nodes),
        str(size.devices),
        size.note or "the quota of the team",
    )


def _closing(team: Team, others: Mapping[str, str]) -> Iterator[Paragraph]:
    yield Paragraph(f"{_link(RUNBOOK)} has the five commonest failures, with commands.")
    yield Paragraph(
        "When the team leaves, access, queues, limits and network policies are deleted. Its namespaces with their "
        "objects, objects in the bucket and files stay until an administrator deletes them: "
        f"`neuron-cluster offboard` with `--team {team.name}` lists both."
    )
    for path, cluster in others.items():
        yield Paragraph(f"[{path}]({path}) is the page of {cluster}, which the team may use too.")
