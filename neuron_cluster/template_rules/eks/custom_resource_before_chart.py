from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.eks.kubernetes_objects import charts, comes_after, objects_of
from neuron_cluster.template_rules.property_tree import is_true, text


class CustomResourceBeforeChart(TemplateRule):
    """Custom resources depend on the release with their CRDs, which waits for webhook pods (`DependsOn`, `Wait`).

    The API server returns "no matches for kind", or "failed calling webhook" while the webhook's pods do not run.
    """

    id = "E8238"
    operation = "kubectl apply"
    error_code = None
    source = (
        "https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#failure-policy; "
        "kinds and webhooks of charts: catalog/data/charts"
    )
    types = ("Custom::AWSCDK-EKS-KubernetesResource",)

    def check(self, context: TemplateContext) -> Violations:
        kinds = {(str(each.get("apiVersion")), str(each.get("kind"))) for each in objects_of(context.resource)}
        for release in charts(context.resource.stack, context.look_up):
            chart = context.catalog.charts.get(text(release.properties.get("Chart")) or "")
            brought = kinds & {(kind.api_version, kind.kind) for kind in chart.provides} if chart is not None else set()
            if chart is None or not brought:
                continue
            if not comes_after(context.resource, release, context.look_up):
                hint = f"add {release.logical_id} to DependsOn of the objects"
                message = f"{_named(brought)} is defined by {chart.name}, but the objects do not depend on its release"
                yield Violation("Manifest", message, hint)
            elif chart.webhooks == "fail" and not is_true(release.properties.get("Wait")):
                hint = f"set Wait: true for {release.logical_id}: helm then waits until its pods run"
                message = f"{_named(brought)} is admitted by webhook pods of {chart.name}, which helm does not wait for"
                yield Violation("Manifest", message, hint)


def _named(kinds: set[tuple[str, str]]) -> str:
    return ", ".join(sorted(kind for _, kind in kinds))
