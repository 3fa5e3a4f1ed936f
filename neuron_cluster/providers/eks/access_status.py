"""The access entries of an EKS cluster for `status`: those of the file with their rights, and others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from neuron_cluster.aws import eks_state
from neuron_cluster.aws.reading import NotRead, reading
from neuron_cluster.findings.text import counted
from neuron_cluster.protocol.status import StatusLine, StatusQuery, error, healthy, warning
from neuron_cluster.providers.eks.access_rights import planned_rights, rights_lines
from neuron_cluster.providers.eks.plan.eks_plan import EksPlan
from neuron_cluster.providers.eks.stacks import CLUSTER

ENTRIES, OTHERS = "access entries", "other access entries"
OF_PEOPLE = ("STANDARD", "")
SERVICE_ROLE = ":role/aws-service-role/"


def access_lines(query: StatusQuery, section: EksPlan) -> Iterator[StatusLine]:
    found = reading("eks", lambda: eks_state.principals_with_access(query.access.target, section.name))
    if isinstance(found, NotRead):
        yield query.not_read(ENTRIES, found)
        return
    planned = planned_rights(section)
    missing = [principal for principal in planned if principal not in found]
    for principal in missing:
        yield error(principal, "the principal has no access entry", _creation(query, section, principal))
    if not missing:
        yield healthy(ENTRIES, f"all of {counted(len(planned), 'principal')} in the file")
    yield from rights_lines(query, section, [principal for principal in planned if principal in found])
    yield from _others(query, section, [principal for principal in found if principal not in planned])


def _creation(query: StatusQuery, section: EksPlan, principal: str) -> str:
    names = {"cluster_name": section.name, "principal_arn": principal}
    rights = planned_rights(section)[principal]
    if rights.group:
        return query.access.aws_command("eks create-access-entry", **names, kubernetes_groups=rights.group)
    arn = f"arn:{query.plan.partition}:eks::aws:cluster-access-policy/{rights.policy}"
    given = {"policy_arn": arn, "access_scope": "type=cluster"}
    create = query.access.aws_command("eks create-access-entry", **names)
    return f"{create} && {query.access.aws_command('eks associate-access-policy', **names, **given)}"


def _others(query: StatusQuery, section: EksPlan, principals: Sequence[str]) -> Iterator[StatusLine]:
    """Yields entries of people that neither the file nor a stack has; nodes and EKS have entries of other types."""
    held = query.held.ids(CLUSTER.stack_key, "AWS::EKS::AccessEntry")
    if isinstance(held, NotRead):
        yield query.not_read(OTHERS, held)
        return
    of_stacks = {physical_id.partition("|")[0] for physical_id in held}
    unplanned = [each for each in principals if each not in of_stacks and SERVICE_ROLE not in each]
    for principal in unplanned:
        found = reading("eks", lambda: eks_state.access_entry_type(query.access.target, section.name, principal))  # noqa: B023 - it is called here
        if isinstance(found, NotRead):
            yield query.not_read(principal, found)
        elif found in OF_PEOPLE:
            command = query.access.aws_command(
                "eks delete-access-entry", cluster_name=section.name, principal_arn=principal
            )
            yield warning(principal, "neither the file nor a stack gives this principal its access entry", command)
