"""How members and operators of a team sign in, and what each may do, for its page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from neuron_cluster.handover.login import Login, context_name, logins, operator_context, operator_logins
from neuron_cluster.pages.document import Commands, Paragraph, Section
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.plan.namespace_plan import WorkloadNamespacePlan
from neuron_cluster.plan.team import Team
from neuron_cluster.table import Table

NONE = "none"


def login_section(plan: ClusterPlan, cluster: KubernetesPlan, team: Team, home: str) -> Section:
    """``home`` is the namespace of the context."""
    return Section("Log in", tuple(_login(plan, cluster, team, home)))


def rights_section(cluster: KubernetesPlan, team: Team, namespaces: Sequence[WorkloadNamespacePlan]) -> Section:
    return Section("Namespaces and rights", tuple(_rights(cluster, team, namespaces)))


def _login(plan: ClusterPlan, cluster: KubernetesPlan, team: Team, home: str) -> Iterator[Paragraph | Commands]:
    yield Paragraph("Install the AWS CLI version 2 and kubectl.")
    yield from map(Paragraph, cluster.login_notes(plan.partition, plan.region, plan.account))
    for name in _sets_without_role(team):
        yield Paragraph(
            f"People with the permission set {name} have no access yet: an administrator runs `neuron-cluster lock`, "
            "deploys, and writes this page again."
        )
    if team.principals:
        found, context = logins(plan, cluster, team), context_name(plan, team)
        yield from _login_of("member", found, context, home, "create jobs.batch")
    elif not team.permission_sets:
        yield Paragraph("The team has no members yet: list IAM roles or permission sets in `teams` and deploy first.")
    if team.operators:
        found, context = operator_logins(plan, cluster, team), operator_context(plan, team)
        yield from _login_of("operator", found, context, home, "patch localqueues.kueue.x-k8s.io")


def _login_of(
    who: str, found: Iterable[Login], context: str, home: str, allowed: str
) -> Iterator[Paragraph | Commands]:
    """``allowed`` is a verb with a resource that Kubernetes answers ``yes`` for."""
    for login in found:
        yield Paragraph(login.sentence)
        yield Commands(login.commands)
    yield Paragraph(f"Then, for every {who}:")
    yield Commands(
        (
            f"kubectl config use-context {context}",
            f"kubectl config set-context {context} --namespace={home}",
            f"kubectl auth can-i {allowed} --namespace {home}",
            f"kubectl get localqueues.kueue.x-k8s.io --namespace {home}",
        )
    )


def _sets_without_role(team: Team) -> Iterator[str]:
    """Permission sets that the lock does not have (rule W2080)."""
    known = {each.path[-1] for each in team.members if "permission_sets" in each.path}
    yield from (name for position, name in enumerate(team.permission_sets) if position not in known)


def _rights(
    cluster: KubernetesPlan, team: Team, namespaces: Sequence[WorkloadNamespacePlan]
) -> Iterator[Paragraph | Table | Commands]:
    rows = tuple(
        (
            f"`{each.name}`",
            each.pod_security,
            ", ".join(f"`{queue}`" for queue in cluster.queues if each.may_use(queue)) or NONE,
            ", ".join(f"`{account}`" for account in ("default", *each.service_accounts)),
        )
        for each in namespaces
    )
    yield Table("Namespaces", ("namespace", "Pod Security level", "queues", "service accounts"), rows)
    yield Paragraph(
        "Members create, change and delete jobs, JobSets, Deployments, pods, Services, ConfigMaps, Secrets, claims "
        "and disruption budgets in these namespaces, open shells in pods, and read quotas, events, logs, queues and "
        "network policies. They cannot change quotas, limits, network policies, roles, service accounts and queues."
    )
    if team.operators:
        yield from _operators(cluster, namespaces)
    yield Paragraph(
        "Network policies let pods reach their own namespace, DNS, HTTPS and the Pod Identity Agent, and accept "
        "traffic of their own namespace alone. They do not filter EFA."
    )


def _operators(cluster: KubernetesPlan, namespaces: Sequence[WorkloadNamespacePlan]) -> Iterator[Paragraph | Commands]:
    rights = (
        "Operators have the rights of members in these namespaces, write network policies, service accounts and "
        "ScaledObjects, evict pods, and read roles. They cannot change quotas, limits, roles and role bindings."
    )
    queues = [(queue, each.name) for each in namespaces for queue in cluster.queues if each.may_use(queue)]
    if not queues:
        yield Paragraph(rights)
        return
    yield Paragraph(
        f"{rights} The first command stops a queue, so that it admits no new job; the second one starts it again:"
    )
    yield Commands(tuple(_patch(*queues[0], policy) for policy in ("Hold", "None")))


def _patch(queue: str, namespace: str, policy: str) -> str:
    patch = f'{{"spec": {{"stopPolicy": "{policy}"}}}}'
    return f"kubectl patch localqueues.kueue.x-k8s.io {queue} --namespace {namespace} --type merge --patch '{patch}'"
