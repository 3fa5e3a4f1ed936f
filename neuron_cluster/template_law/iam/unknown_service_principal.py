"""Roles for services that there are not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_law.base import Refusal, ResourceLaw
from neuron_cluster.template_law.look_up import LookUp
from neuron_cluster.template_law.property_tree import at, one_or_more, text
from neuron_cluster.template_law.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog

SERVICES = (
    "ec2.amazonaws.com",
    "eks.amazonaws.com",
    "lambda.amazonaws.com",
    "pods.eks.amazonaws.com",
    "vpc-flow-logs.amazonaws.com",
)


class UnknownServicePrincipal(ResourceLaw):
    """A role is assumed by services that exist.

    IAM answers "Invalid principal in policy" for a service name that it does not know.
    """

    id = "E8603"
    operation = "iam:CreateRole"
    error_code = "MalformedPolicyDocument"
    source = (
        "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_principal.html; "
        "the services that this toolkit makes roles for"
    )
    types = ("AWS::IAM::Role",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Refusal]:
        del look_up, catalog
        document = resource.properties.get("AssumeRolePolicyDocument")
        for position, statement in enumerate(one_or_more(at(document, "Statement"))):
            for service in map(text, one_or_more(at(statement, "Principal", "Service"))):
                if service is not None and service not in SERVICES:
                    yield Refusal(
                        f"AssumeRolePolicyDocument.Statement[{position}].Principal.Service",
                        f"{service} is none of the services that take roles here",
                        f"use one of {', '.join(SERVICES)}, or add it to the law with its source",
                    )
