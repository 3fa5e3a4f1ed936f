"""Templates as CloudFormation's own laws see them.

Source: that of the law, in the table of refusals that templates are checked for
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.local_aws.service import ServiceError
from neuron_cluster.template_law.base import TemplateLaw, Verdict
from neuron_cluster.template_law.discover import all_laws

CHANGE_SET = "cloudformation:CreateChangeSet"


def enforced_template_laws() -> list[TemplateLaw]:
    """Laws on a whole template that CloudFormation enforces."""
    return [
        law
        for law in all_laws()
        if isinstance(law, TemplateLaw) and law.operation == CHANGE_SET and law.verdict is Verdict.REFUSED
    ]


def refuse_template(template: Mapping[str, Any]) -> None:
    """Raises ServiceError for a template beyond CloudFormation's limits."""
    for law in enforced_template_laws():
        for refusal in law.check(template, load_catalog()):
            raise ServiceError(str(law.error_code), refusal.service_words)
