from __future__ import annotations

import re

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.region import Region
from neuron_cluster.providers.eks.listed_principals import listed_principals
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations

SERVICE_LINKED = "role/aws-service-role/"
IDENTITY_CENTER = "AWSReservedSSO_"
"""Beginning of the names of roles that IAM Identity Center creates for a permission set."""
IDENTITY_CENTER_PATH = "role/aws-reserved/sso.amazonaws.com/"
IDENTITY_CENTER_NAME = re.compile(r"AWSReservedSSO_[\w+=,.@-]+_[0-9a-f]{16}")
WITHOUT_SEGMENT = f"{IDENTITY_CENTER_PATH}us-east-1/"
"""Identity Center in us-east-1 leaves the Region out of the path."""
COPY = "copy the ARN from IAM: "
LIST_ROLES = "`aws iam list-roles --path-prefix /aws-reserved/sso.amazonaws.com/ --query 'Roles[].Arn'`"


class InvalidPrincipalArn(Rule):
    """Every IAM principal has a valid ARN of the Region's partition and is not service-linked (`eks.access`, `teams`).

    IAM is separate in each partition: a role of arn:aws-cn does not exist in us-west-2. Roles below aws-service-role/
    are service-linked roles. Roles of IAM Identity Center are below aws-reserved/sso.amazonaws.com/ and the Region of
    Identity Center, which is left out for us-east-1, and their name ends in 16 hexadecimal digits.

    Without this check EKS rejects the access entry with InvalidParameterException, "The specified principalArn is
    invalid: invalid principal", after the control plane has been created, and the cluster stack rolls back.
    """

    id = "E2012"
    source = (
        "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference-arns.html; "
        "https://docs.aws.amazon.com/eks/latest/userguide/access-entries.html; "
        "https://docs.aws.amazon.com/singlesignon/latest/userguide/referencingpermissionsets.html"
    )

    def check(self, context: RuleContext) -> Violations:
        region = context.catalog.regions.get(context.environment.config.region)
        if region is None:  # rule E6001
            return
        for each in listed_principals(context.environment.config):
            found = _problem(each.arn, region, context.catalog)
            if found is not None:
                yield Violation(each.path, *found)


def _problem(principal: str, region: Region, catalog: Catalog) -> tuple[str, str] | None:
    """Message and hint; None for a valid ARN."""
    _, partition, _, _, _, resource = principal.split(":")
    name = resource.rpartition("/")[2]
    if partition != region.partition:
        return (
            f"{principal} is in the partition {partition}, but {region.name} is in {region.partition}",
            f"set a role or user of {region.partition}: arn:{region.partition}:iam::…",
        )
    if resource.startswith(SERVICE_LINKED):
        return (
            f"{principal} is a service-linked role, which EKS does not accept",
            "set another role or user: `aws iam list-roles --query 'Roles[].Arn'`",
        )
    if problem := catalog.limits["iam_role_name"].problem_with(name):
        return (
            f'{principal} ends in the name "{name}", which {problem}',
            f"{COPY}`aws iam get-role --role-name NAME --query Role.Arn`",
        )
    return _identity_center_problem(principal, resource, name) if name.startswith(IDENTITY_CENTER) else None


def _identity_center_problem(principal: str, resource: str, name: str) -> tuple[str, str] | None:
    if not resource.startswith(IDENTITY_CENTER_PATH):
        return f"{principal} lacks the path {IDENTITY_CENTER_PATH.partition('/')[2]} of its role", COPY + LIST_ROLES
    if resource.startswith(WITHOUT_SEGMENT):
        without = principal.replace("/us-east-1/", "/")
        return f"{principal} has the path of Identity Center in us-east-1, which has no Region", f"write {without}"
    if IDENTITY_CENTER_NAME.fullmatch(name) is None:
        form = "AWSReservedSSO_, the name of the permission set, _ and 16 hexadecimal digits"
        return f"{principal} ends in {name}; the name of a role of Identity Center is {form}", COPY + LIST_ROLES
    return None
