from __future__ import annotations

from local_kubernetes.model.dns_names import (
    LABEL_1035_FORM,
    LABEL_FORM,
    SUBDOMAIN_FORM,
    is_label,
    is_label_1035,
    is_subdomain,
)
from local_kubernetes.model.fields import at
from local_kubernetes.model.objects import KubernetesObject
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Violation,
    Violations,
)

RBAC_GROUP = "rbac.authorization.k8s.io"
OF_RFC_1035 = ("Service", "JobSet", "MPIJob", "PyTorchJob", "LeaderWorkerSet")
"""Services, and kinds whose name becomes that of a Service or a host name."""
PATH_SEGMENT_FORM = "no '/', no '%', and not '.' or '..'"


class InvalidObjectName(ManifestRule):
    """The name of an object has the form that its kind requires (`metadata.name`)."""

    id = "E8811"
    source = (
        "https://kubernetes.io/docs/concepts/overview/working-with-objects/names/; "
        "kubernetes-sigs/jobset:pkg/webhooks/jobset_webhook.go; "
        "kubernetes-sigs/lws:pkg/webhooks/leaderworkerset_webhook.go; "
        "kubeflow/mpi-operator:pkg/apis/kubeflow/validation/validation.go; "
        "kubeflow/training-operator@5525468:pkg/apis/kubeflow.org/v1/pytorch_validation.go"
    )

    def check(self, context: ManifestContext) -> Violations:
        obj = context.object
        if at(obj.body, "metadata", "generateName") is not None:
            return
        valid, form = _form(obj)
        if not valid:
            yield Violation(
                "metadata.name",
                f"{obj.name!r} ({len(obj.name)} characters) is not a valid {obj.kind} name: {form}",
                "write a metadata.name of this form, here and where the name is used",
            )


def _form(obj: KubernetesObject) -> tuple[bool, str]:
    """Whether the name is valid, and what is allowed."""
    name = obj.name
    if obj.api_group == RBAC_GROUP:
        return bool(name) and name not in (".", "..") and not {"/", "%"} & set(name), PATH_SEGMENT_FORM
    if obj.kind == "Namespace":
        return is_label(name), LABEL_FORM
    if obj.kind in OF_RFC_1035:
        return is_label_1035(name), LABEL_1035_FORM
    return is_subdomain(name), SUBDOMAIN_FORM
