"""Pods with a ServiceAccount that does not exist."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.kubernetes.fields import at
from neuron_cluster.kubernetes.pod_templates import PodTemplate
from neuron_cluster.kubernetes.release import Release
from neuron_cluster.manifest_rules.base import PodRule
from neuron_cluster.manifest_rules.wording import write_one
from neuron_cluster.template_rules.base import Violation


class UnknownServiceAccount(PodRule):
    """Pods use a ServiceAccount of their release, or ``default`` (`serviceAccountName`).

    Where a release has no ServiceAccount, its pods use existing ones, which are not checked.
    """

    id = "E8842"
    source = (
        "https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#serviceaccount "
        "(a pod whose ServiceAccount does not exist is rejected)"
    )

    def check_pod(self, template: PodTemplate, release: Release) -> Iterator[Violation]:
        account = at(template.spec, "serviceAccountName")
        made = [one.name for one in release.of_kind("ServiceAccount") if one.namespace == template.owner.namespace]
        if made and account not in (None, "", "default", *made):
            yield Violation(
                f"{template.spec_path}.serviceAccountName",
                f"the release has no ServiceAccount {account!r}; it has {', '.join(made)}",
                write_one(made, f"add a ServiceAccount {account}"),
            )
