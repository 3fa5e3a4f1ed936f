"""Malformed IAM principal ARNs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.orchestrators.eks.config.cluster import Eks
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


SERVICE_LINKED = "role/aws-service-role/"


class InvalidPrincipalArn(ConfigRule):
    """Every IAM principal has a valid ARN, in the partition of the Region, and is not service-linked (`eks.access`).

    IAM is separate in each partition: a role of arn:aws-cn does not exist in us-west-2. Roles below aws-service-role/
    are service-linked roles.

    Without this check EKS rejects the access entry with InvalidParameterException, "The specified principalArn is
    invalid: invalid principal", after the control plane has been created, and the cluster stack rolls back.
    """

    id = "E2012"
    source = (
        "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference-arns.html; "
        "https://docs.aws.amazon.com/eks/latest/userguide/access-entries.html"
    )

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        config = environment.config
        region = catalog.region(config.region)
        eks = config.section(Eks)
        if eks is None or region is None:  # rule E6001
            return
        for role, principals in (("admins", eks.access.admins), ("viewers", eks.access.viewers)):
            for position, principal in enumerate(principals):
                path = ("eks", "access", role, position)
                _, partition, _, _, _, resource = principal.split(":")
                name = resource.rpartition("/")[2]
                if partition != region.partition:
                    yield Violation(
                        path,
                        f"{principal} is in the partition {partition}, but {config.region} is in {region.partition}",
                        f"set a role or user of {region.partition}: arn:{region.partition}:iam::…",
                    )
                elif resource.startswith(SERVICE_LINKED):
                    yield Violation(
                        path,
                        f"{principal} is a service-linked role, which EKS does not accept",
                        "set another role or user: `aws iam list-roles --query 'Roles[].Arn'`",
                    )
                elif problem := catalog.limit("iam_role_name").problem_with(name):
                    yield Violation(
                        path,
                        f'{principal} ends in the name "{name}", which {problem}',
                        "copy the ARN from IAM: `aws iam get-role --role-name NAME --query Role.Arn`",
                    )
