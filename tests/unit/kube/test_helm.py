"""The real helm renders, refuses and lints; the user's own configuration plays no part."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.kube.helm import Helm, HelmError

pytestmark = pytest.mark.slow

CONFIG_MAP = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}, namespace: {{ .Release.Namespace }}}
data: {version: {{ .Capabilities.KubeVersion.Minor | quote }}, size: {{ .Values.size | quote }}}
"""
MakeChart = Callable[..., Path]


@pytest.fixture(scope="module")
def helm(unkept_helm: Callable[[str], Helm]) -> Helm:
    layer = [row.kubectl_layer for row in load_catalog().kubernetes_versions if row.kubectl_layer is not None][-1]
    return unkept_helm(layer.package)


@pytest.fixture
def make_chart(tmp_path: Path) -> MakeChart:
    def make(template: str = CONFIG_MAP, notes: str = "") -> Path:
        (tmp_path / "templates").mkdir()
        (tmp_path / "Chart.yaml").write_text(
            "{apiVersion: v2, name: small, version: 0.1.0, icon: https://example.com/icon.svg}"
        )
        (tmp_path / "values.yaml").write_text("size: 1\n")
        (tmp_path / "values.schema.json").write_text('{"type": "object", "properties": {"size": {"type": "integer"}}}')
        (tmp_path / "templates" / "one.yaml").write_text(template)
        (tmp_path / "templates" / "NOTES.txt").write_text(notes)
        return tmp_path

    return make


def test_values_release_namespace_and_version_reach_the_objects(helm: Helm, make_chart: MakeChart) -> None:
    [body] = helm.template(make_chart(), "mine", "team-a", {"size": 3}, "1.34")
    assert body["metadata"] == {"name": "mine", "namespace": "team-a"}
    assert body["data"] == {"version": "34", "size": "3"}


def test_a_refused_value_is_told_in_helms_words(helm: Helm, make_chart: MakeChart) -> None:
    with pytest.raises(HelmError, match="size"):
        helm.template(make_chart(), "mine", "team-a", {"size": "3"}, "1.34")


def test_a_template_that_fails_is_told_in_its_own_words(helm: Helm, make_chart: MakeChart) -> None:
    with pytest.raises(HelmError, match="four nodes are needed"):
        helm.template(make_chart('{{ fail "four nodes are needed" }}'), "mine", "team-a", {}, "1.34")


def test_a_key_that_is_rendered_twice_is_refused(helm: Helm, make_chart: MakeChart) -> None:
    with pytest.raises(HelmError, match="duplicate key"):
        helm.template(make_chart("apiVersion: v1\nkind: A\nkind: B\n"), "mine", "team-a", {}, "1.34")


def test_lint_is_strict(helm: Helm, make_chart: MakeChart) -> None:
    chart = make_chart()
    helm.lint(chart, {}, "1.34")
    (chart / "templates" / "one.yaml").write_text(
        "apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: a}\n"
    )
    with pytest.raises(HelmError, match="deprecated"):
        helm.lint(chart, {}, "1.34")


def test_notes_are_those_of_the_release(helm: Helm, make_chart: MakeChart) -> None:
    chart = make_chart(notes="kubectl -n {{ .Release.Namespace }} get configmap {{ .Release.Name }}")
    assert helm.notes(chart, "mine", "team-a", {}).strip() == "kubectl -n team-a get configmap mine"


def test_the_users_cluster_and_plugins_play_no_part(
    helm: Helm, make_chart: MakeChart, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = tmp_path / "broken"
    broken.write_text("no: [yaml")
    for name in ("KUBECONFIG", "HELM_REPOSITORY_CONFIG", "HELM_REGISTRY_CONFIG"):
        monkeypatch.setenv(name, str(broken))
    monkeypatch.setenv("HELM_NAMESPACE", "elsewhere")
    [body] = helm.template(make_chart(), "mine", "team-a", {}, "1.34")
    assert body["metadata"]["namespace"] == "team-a"
