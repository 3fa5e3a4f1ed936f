"""Objects and files of a team in a Kubernetes cluster when it leaves, and how they are deleted by hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from local_kubernetes.model.fields import at
from local_kubernetes.model.names import DEFAULT_NAMESPACE
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.addon_plan import ManifestPlan
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.core_stacks import STORAGE
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.plan.team import Team
from neuron_cluster.protocol.team_departure import DepartureStep, Part, TeamDeparture
from neuron_cluster.schedulers.kubernetes.software.lustre_volumes import LUSTRE_CLAIM
from neuron_cluster.schedulers.kubernetes.team_pages.guide import JOB_LABEL
from neuron_cluster.schedulers.kubernetes.team_pages.job_size import starter_share
from neuron_cluster.schedulers.kubernetes.team_pages.shares import group_shares, team_namespaces
from neuron_cluster.schedulers.kubernetes.team_pages.starter_jobs import shared_claim
from neuron_cluster.schedulers.kubernetes.team_pages.team_storage import SHARED_PATH, claims_of

CLUSTER_QUEUE, LOCAL_QUEUE, VOLUME = "ClusterQueue", "LocalQueue", "PersistentVolume"
NOTES = {
    CLUSTER_QUEUE: "its jobs are stopped first, and stay in the namespaces, suspended",
    LOCAL_QUEUE: "new jobs that name it are not admitted",
    "RoleBinding": "members or operators lose their rights",
    "ResourceQuota": "nothing limits pods of the namespace any more",
    "NetworkPolicy": "traffic of pods that still run is no longer limited",
    "ValidatingAdmissionPolicy": "new pods of the namespaces may run any image",
    "ServiceAccount": "new pods that name it are rejected",
}


def kubernetes_departure(
    plan: ClusterPlan, cluster: KubernetesPlan, team: Team, catalog: Catalog, environment: str
) -> TeamDeparture:
    """Returns the departure of a team. ``environment`` is the argument that commands name it by."""
    prefixes = (*team.prefixes, *_copied_prefixes(plan, cluster, team))
    return TeamDeparture(
        removed=tuple(_removed(cluster, team)),
        objects=tuple(_kept_in_cluster(cluster, team)),
        files=tuple(_kept_by_claims(plan, cluster, team)),
        before=tuple(_steps_before(plan, cluster, team, catalog, environment)),
        after=(*_deletions(cluster, team), *_bucket_steps(plan, prefixes)),
    )


def _removed(cluster: KubernetesPlan, team: Team) -> Iterator[Part]:
    for principal in (*team.members, *team.operators):
        yield Part("access entry", principal.arn, "the role no longer reaches the Kubernetes API")
    if cluster.is_governed:
        note = "HyperPod deletes the queue of its namespace: no job is admitted"
        yield Part("compute quota", f"of {team.name}", note)
    for body in _objects(cluster, team, is_kept=False):
        yield Part(str(body["kind"]), _place(body), NOTES.get(str(body["kind"]), ""))
    for role in cluster.workload_roles:
        if role.namespace in team.namespaces:
            name = f"{role.namespace}/{role.service_account}"
            yield Part("IAM role of a service account", name, "pods lose access to AWS")


def _objects(cluster: KubernetesPlan, team: Team, *, is_kept: bool) -> Iterator[Mapping[str, Any]]:
    """Objects of the team and in its namespaces."""
    for manifest in (*cluster.manifests, *cluster.team_manifests):
        for body in manifest.objects if manifest.is_kept is is_kept else ():
            if _is_of(manifest, body, team):
                yield body


def _is_of(manifest: ManifestPlan, body: Mapping[str, Any], team: Team) -> bool:
    home = at(body, "metadata", "namespace") or at(body, "spec", "claimRef", "namespace")
    return manifest.path[: len(team.path)] == team.path or home in team.namespaces


def _place(body: Mapping[str, Any]) -> str:
    home, name = at(body, "metadata", "namespace"), str(at(body, "metadata", "name"))
    return f"{home}/{name}" if home else name


def _kept_in_cluster(cluster: KubernetesPlan, team: Team) -> Iterator[Part]:
    for namespace in team_namespaces(cluster, team):
        kept = "with its jobs, Secrets, claims and labels; pods without a queue run on"
        doubt = "HyperPod made it, and no source states whether it deletes it with the compute quota"
        yield Part("namespace", namespace.name, doubt if namespace.is_governed else kept)
    for body in _objects(cluster, team, is_kept=True):
        yield Part(str(body["kind"]), _place(body), "with the files")


def _kept_by_claims(plan: ClusterPlan, cluster: KubernetesPlan, team: Team) -> Iterator[Part]:
    for prefix in _copied_prefixes(plan, cluster, team):
        yield Part("prefix of the checkpoint bucket", prefix, "copies of the files on Lustre, by `storage.lustre.sync`")
    for folder in _lustre_folders(plan, cluster, team):
        yield Part("folder on Lustre", f"/{folder}", "all files")
    named = {each for space in team_namespaces(cluster, team) for each in space.claims}
    for name in sorted(named - {LUSTRE_CLAIM}):
        yield Part("storage of a claim", name, "its files; the key in `storage` stays as it is")


def _lustre_folders(plan: ClusterPlan, cluster: KubernetesPlan, team: Team) -> Iterator[str]:
    for namespace in team.namespaces:
        for claim in claims_of(plan, cluster, namespace):
            if claim.mount.claim == LUSTRE_CLAIM and claim.mount.folder is not None:
                yield claim.mount.folder


def _copied_prefixes(plan: ClusterPlan, cluster: KubernetesPlan, team: Team) -> Iterator[str]:
    """Where `storage.lustre.sync` writes the folders of the team: apart from its own prefixes."""
    lustre = plan.storage.lustre if plan.storage is not None else None
    copied = lustre.association if lustre is not None else None
    if copied is None:
        return
    root = copied.file_system_path.strip("/")
    for folder in _lustre_folders(plan, cluster, team):
        below = f"/{folder}".removeprefix(f"/{root}" if root else "").strip("/")
        yield "/".join(filter(None, (copied.prefix.strip("/"), below))) + "/"


def _steps_before(
    plan: ClusterPlan, cluster: KubernetesPlan, team: Team, catalog: Catalog, environment: str
) -> Iterator[DepartureStep]:
    spaces = [each.name for each in team_namespaces(cluster, team)]
    listed = tuple(f"kubectl get workloads.kueue.x-k8s.io,pods --namespace {name}" for name in spaces)
    yield DepartureStep("See what still runs.", listed)
    yield from _lustre_steps(plan, cluster, team, catalog, environment)


def _deletions(cluster: KubernetesPlan, team: Team) -> Iterator[DepartureStep]:
    """Yields the steps that delete objects in the cluster."""
    spaces = [each.name for each in team_namespaces(cluster, team)]
    own = [name for name in spaces if name != DEFAULT_NAMESPACE]
    if own:
        yield DepartureStep(
            "Delete the namespaces with all objects in them.",
            tuple(f"kubectl delete namespace {name}" for name in own),
            deletes_data=True,
        )
    volumes = [_place(body) for body in _objects(cluster, team, is_kept=True) if body["kind"] == VOLUME]
    if volumes:
        yield DepartureStep(
            "Delete the volumes, which are Released then: their files stay.",
            (f"kubectl delete persistentvolume {' '.join(volumes)}",),
        )


def _lustre_steps(
    plan: ClusterPlan, cluster: KubernetesPlan, team: Team, catalog: Catalog, environment: str
) -> Iterator[DepartureStep]:
    """While a pod of the team can still mount the claim."""
    folders = [
        claim.mount.written
        for namespace in team.namespaces
        for claim in claims_of(plan, cluster, namespace)
        if claim.mount.claim == LUSTRE_CLAIM and claim.mount.path == SHARED_PATH and claim.mount.folder
    ]
    if not folders:
        return
    share = starter_share(group_shares(cluster, team, catalog))
    if share is None or shared_claim(cluster, share.namespace) != LUSTRE_CLAIM:  # the pack has no shell with the claim
        listed = ", ".join(filter(None, folders))
        text = f"Delete the folders on Lustre, from a pod that mounts the claim `{LUSTRE_CLAIM}` at `{SHARED_PATH}`"
        yield DepartureStep(f"{text}: {listed}.", deletes_data=True)
        return
    pack, space = f"{team.name}-pack", f"--namespace {share.namespace}"
    yield DepartureStep(
        "Delete the folders on Lustre, from the shell of the hand-over pack: every claim of the file system sees them.",
        (
            f"neuron-cluster onboard {environment} --team {team.name} --output {pack}",
            f"kubectl apply -f {pack}/jobs/interactive.yaml",
            f"kubectl wait {space} --for=condition=ready pod --selector={JOB_LABEL}=interactive --timeout=60m",
            *(f"kubectl exec {space} job/interactive -- rm -r {folder}" for folder in folders),
            f"kubectl delete -f {pack}/jobs/interactive.yaml",
        ),
        deletes_data=True,
    )


def _bucket_steps(plan: ClusterPlan, prefixes: tuple[str, ...]) -> Iterator[DepartureStep]:
    bucket = plan.storage.bucket if plan.storage is not None else None
    if bucket is None or not prefixes:
        return
    name = bucket.existing.name if bucket.existing is not None else "BUCKET"
    stack = plan.stack_name(STORAGE.stack_key)
    find = (
        (
            f"aws cloudformation describe-stacks --region {plan.region} --stack-name {stack} "
            "--query \"Stacks[0].Outputs[?OutputKey=='CheckpointBucket'].OutputValue\" --output text"
        ),
    )
    yield DepartureStep(
        "Delete the objects in the checkpoint bucket"
        + ("" if bucket.existing is not None else "; the first command prints its name, in the place of BUCKET")
        + ". Versions stay as long as the lifecycle rule of the bucket keeps them.",
        (
            *(() if bucket.existing is not None else find),
            *(f"aws s3 rm s3://{name}/{prefix} --recursive --region {plan.region}" for prefix in prefixes),
        ),
        deletes_data=True,
    )
