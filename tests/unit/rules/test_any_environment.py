"""No file makes the line raise, whatever stands in it; the shipped files have no error."""

import tempfile
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_fixture import PROJECT, base_tree

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.findings.finding import has_error
from neuron_cluster.pipeline import check_environment

pytestmark = pytest.mark.slow

SHIPPED = sorted(file.stem for file in (PROJECT / "environments").glob("*.yaml"))

Path_ = tuple[str | int, ...]


def leaves(tree: Any, path: Path_ = ()) -> list[Path_]:
    """Every key path of a tree, branches included."""
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    return [here for key, value in items for here in [(*path, key), *leaves(value, (*path, key))]]


def values_of_the_field() -> st.SearchStrategy[Any]:
    """Texts that some field takes, so that rules and not only shapes are met."""
    catalog = load_catalog()
    numbers = ["0", "1", "2", "16", "450", "10000", "-1", "999999999999", "1200", "3600"]
    cidrs = ["10.0.0.0/8", "10.0.0.0/16", "10.0.0.0/22", "10.0.0.0/28", "10.0.0.0/32", "0.0.0.0/0", "172.20.0.0/16"]
    names = [
        row.name
        for rows in (catalog.instance_types.rows, catalog.regions.rows, catalog.neuron_sdks.rows)
        for row in rows
    ]
    zones = [zone_id for row in catalog.regions for zone_id in row.zone_ids]
    versions = [row.name for row in catalog.kubernetes_versions]
    values = ["none", "single", "per_zone", "cluster", "efa", "off", "true", "false", "spot", "scratch_2", "ephemeral"]
    principals = ["arn:aws:iam::111122223333:role/a", "arn:aws:iam::444455556666:user/b/c"]
    return st.sampled_from([*numbers, *cidrs, *names, *zones, *versions, *values, *principals])


odd_texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=80)  # the default asks each character of a codec
odd_values = st.one_of(
    values_of_the_field(),
    odd_texts,
    st.none(),
    st.lists(values_of_the_field(), max_size=7),
    st.dictionaries(odd_texts, odd_texts, max_size=4),
)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_environment_has_no_error(name: str) -> None:
    checked = check_environment(PROJECT / "environments" / f"{name}.yaml")
    assert [finding for finding in checked.findings if finding.severity.value == "error"] == []
    assert checked.plan is not None


@settings(max_examples=150, deadline=None)
@given(base=st.sampled_from(SHIPPED), data=st.data())
def test_any_edit_gives_findings_or_a_plan_and_never_raises(base: str, data: st.DataObject) -> None:
    tree = base_tree(base)
    for _ in range(data.draw(st.integers(1, 4))):
        places = leaves(tree)
        if not places:
            break
        *way, last = data.draw(st.sampled_from(places))
        container = tree
        for part in way:
            container = container[part]
        container[last] = data.draw(odd_values)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "environment.yaml"
        file.write_text(yaml.safe_dump(tree, sort_keys=False, allow_unicode=True), encoding="utf-8")
        checked = check_environment(file)
    assert (checked.plan is None) == has_error(checked.findings)
    for finding in checked.findings:
        if not finding.id[1:].startswith("0"):  # those of config/ have tests of their own
            assert finding.message.isprintable(), finding
            assert finding.hint, finding
            assert finding.hint.isprintable(), finding
