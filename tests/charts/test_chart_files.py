"""Every own chart has the files that it must have, and they say what they must."""

from __future__ import annotations

import re

import pytest
from bundled_charts import BundledChart, bundled_charts, case_id, cases

CHARTS = pytest.mark.parametrize("chart", bundled_charts(), ids=case_id)
COMPLETE = pytest.mark.parametrize("chart", sorted({chart for chart, _ in cases()}, key=str), ids=case_id)
NOT_PURE = re.compile(
    r"\b(lookup|now|ago|randAlpha|randAlphaNum|randNumeric|randAscii|randBytes|uuidv4|genCA|genPrivateKey"
    r"|genSelfSignedCert|genSignedCert|htpasswd|bcrypt|getHostByName|env|expandenv)\b(?=[^}]*}})"
)
"""Functions whose result is not told by the values (https://helm.sh/docs/chart_template_guide/function_list/)."""


@CHARTS
def test_the_files_of_a_chart_are_there(chart: BundledChart) -> None:
    wanted = ("Chart.yaml", "values.yaml", "values.schema.json", "README.md", "templates/NOTES.txt")
    assert [name for name in wanted if not (chart.folder / name).is_file()] == []
    assert list(chart.folder.glob("templates/tests/*.yaml")) != []
    assert chart.examples != []


@COMPLETE
def test_the_chart_says_what_it_is(chart: BundledChart) -> None:
    said = chart.metadata
    assert (said["apiVersion"], said["name"], said["type"]) == ("v2", chart.name, "application")
    assert re.fullmatch(r"\d+\.\d+\.\d+", said["version"])
    assert isinstance(said["appVersion"], str)
    assert said["kubeVersion"] == ">=1.32.0-0", "helm 3.17 renders for 1.32 unless it is told otherwise"
    assert said["description"]
    assert "dependencies" not in said
    assert chart.pod_security in ("privileged", "baseline", "restricted")


@COMPLETE
def test_a_level_below_restricted_is_written_down(chart: BundledChart) -> None:
    readme = (chart.folder / "README.md").read_text()
    assert chart.pod_security == "restricted" or f"Pod Security level `{chart.pod_security}`" in readme


@COMPLETE
def test_every_key_of_the_defaults_is_commented(chart: BundledChart) -> None:
    """A key is explained above it, behind it, or key by key inside it; one comment may cover keys with no gap."""
    paragraphs = (chart.folder / "values.yaml").read_text().split("\n\n")
    bare = [re.findall(r"^\w+(?=:)", paragraph, re.MULTILINE) for paragraph in paragraphs if "#" not in paragraph]
    assert [keys for keys in bare if keys] == []


@COMPLETE
def test_the_readme_names_every_value_and_the_examples(chart: BundledChart) -> None:
    readme = (chart.folder / "README.md").read_text()
    assert [key for key in chart.default_values if f"`{key}" not in readme] == []
    assert "examples/" in readme


@COMPLETE
def test_templates_use_the_values_alone(chart: BundledChart) -> None:
    """No cluster, clock or chance: the same values give the same objects."""
    found = [
        f"{path.relative_to(chart.folder)}: {call[0]}"
        for path in chart.templates()
        for action in re.findall(r"{{.*?}}", path.read_text(), re.DOTALL)
        for call in NOT_PURE.finditer(re.sub(r"\"[^\"]*\"|/\*.*?\*/|[.$]\w+", "", action, flags=re.DOTALL))
    ]
    assert found == []
