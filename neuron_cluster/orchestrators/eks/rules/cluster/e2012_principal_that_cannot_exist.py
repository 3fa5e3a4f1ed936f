"""Principals that no account can have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.orchestrators.eks.config.cluster import Eks
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


SERVICE_LINKED = "role/aws-service-role/"


class PrincipalThatCannotExist(ConfigRule):
    """Every principal is in the partition of the Region, under a name that IAM takes, and no service's own role.

    Partitions share no IAM: a role of arn:aws-cn is nobody in us-west-2. Below aws-service-role/ are the roles that
    services made for themselves (service-linked roles).

    Without this check EKS rejects the access entry with InvalidParameterException, "The specified principalArn is
    invalid: invalid principal", after the control plane was made, and the cluster stack rolls back.
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
                        f"{principal} is of the partition {partition}, but {config.region} of {region.partition}",
                        f"name a role or user of {region.partition}: arn:{region.partition}:iam::…",
                    )
                elif resource.startswith(SERVICE_LINKED):
                    yield Violation(
                        path,
                        f"{principal} is a role that a service made for itself; EKS takes no such role",
                        "name a role or user of people: `aws iam list-roles --query 'Roles[].Arn'`",
                    )
                elif problem := catalog.limit("iam_role_name").problem_with(name):
                    yield Violation(
                        path,
                        f'{principal} ends in the name "{name}", which {problem}',
                        "copy the ARN from IAM: `aws iam get-role --role-name NAME --query Role.Arn`",
                    )
