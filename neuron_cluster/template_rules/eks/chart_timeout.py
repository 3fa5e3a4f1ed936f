"""Helm timeouts that exceed the timeout of CDK's kubectl function."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import text
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog

MAX_SECONDS = 14 * 60


class ChartTimeout(ResourceRule):
    """The timeout of a Helm release is shorter than that of CDK's kubectl function (`Timeout`).

    Lambda stops the function after 15 minutes. The interrupted release stays pending, and every later deploy fails with
    "another operation is in progress".
    """

    id = "E8232"
    operation = "helm upgrade"
    error_code = None
    source = "aws-cdk-lib 2.275.0: custom-resource-handlers/aws-eks-v2/kubectl-handler/helm (function timeout 900 s)"
    references = ("aws/aws-cdk#8215", "aws/aws-cdk#8713", "aws/aws-cdk#22257")
    types = ("Custom::AWSCDK-EKS-HelmChart",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up, catalog
        given = resource.properties.get("Timeout")
        seconds = _seconds(text(given))
        if given is None or (seconds is not None and seconds > MAX_SECONDS):
            yield Violation(
                "Timeout",
                f"is {given or 'not set'}; it must not exceed {MAX_SECONDS} s, the kubectl function times out later",
                f"set Timeout to {MAX_SECONDS}s or less",
            )


def _seconds(timeout: str | None) -> int | None:
    """``600s`` as a number; None for another form or an unknown value."""
    if timeout is None or not timeout.endswith("s") or not timeout[:-1].isdecimal():
        return None
    return int(timeout[:-1])
