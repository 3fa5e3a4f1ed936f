from __future__ import annotations

from local_kubernetes.model.fields import at
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Needs,
    Violation,
    Violations,
)
from neuron_cluster.schedulers.kubernetes.manifest_rules.wording import write_one


class UnknownServiceAccount(ManifestRule):
    """Pods use a ServiceAccount of their release, or ``default`` (`serviceAccountName`).

    Where a release has no ServiceAccount, its pods use existing ones, which are not checked.
    """

    id = "E8842"
    needs = Needs.POD
    source = (
        "https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#serviceaccount "
        "(a pod whose ServiceAccount does not exist is rejected)"
    )

    def check(self, context: ManifestContext) -> Violations:
        template, release = context.template, context.release
        account = at(template.spec, "serviceAccountName")
        made = [one.name for one in release.of_kind("ServiceAccount") if one.namespace == template.owner.namespace]
        if made and account not in (None, "", "default", *made):
            yield Violation(
                f"{template.spec_path}.serviceAccountName",
                f"the release has no ServiceAccount {account!r}; it has {', '.join(made)}",
                write_one(made, f"add a ServiceAccount {account}"),
            )
