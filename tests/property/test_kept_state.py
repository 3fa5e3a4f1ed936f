"""Data stays where it is: no edit moves a resource that holds data, unless `diff` says so and `deploy` refuses it."""

from __future__ import annotations

import copy
import functools
import json
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from drawn import PATHS, containers, edited, places
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from kept_state import holds_data, what_moved
from repair import checked, shipped
from synthesis import with_data_alone
from yaml_text import Edit, Tree, yaml_of

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.change_table import change_table
from neuron_cluster.changes.compare import change_findings
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.summary.edited_key import edited_keys, elsewhere_findings
from neuron_cluster.config.change_row import FieldEffect
from neuron_cluster.findings.finding import has_error
from neuron_cluster.protocol.registry import registered

CATALOG = load_catalog()

FEW = 6
MANY = 5_000
EXAMPLES = int(os.environ.get("NEURON_CLUSTER_EXAMPLES", MANY))
MAX_EDITS = 3
TABLE = change_table(registered())
OF_DATA = [path for path in PATHS if path.split(".", maxsplit=1)[0] == "storage"]
MAY_MOVE_DATA = [path for path in OF_DATA if TABLE[path].effect is FieldEffect.STATE]
CLOSE_TO_DATA = [path for path in PATHS if path.split(".", maxsplit=1)[0] in ("name", "tags", "lifecycle", "network")]
KINDS = (MAY_MOVE_DATA, MAY_MOVE_DATA, OF_DATA, CLOSE_TO_DATA, PATHS)

Templates = dict[str, Any]


@st.composite
def edits_near_data(draw: st.DrawFn) -> Edit:
    """Up to three edits at once of an environment with data: of the data, of what it depends on, or of any field."""
    tree, known = draw(places(draw(st.sampled_from(OF_DATA)), deployable=True))
    after: Tree = tree
    paths = []
    for _ in range(draw(st.integers(1, MAX_EDITS))):
        there = [[path for path in kind if any(containers(after, path))] for kind in KINDS]
        path = draw(st.sampled_from(draw(st.sampled_from([kind for kind in there if kind]))))
        found = draw(edited(after, known, path))
        if found is not None:
            after = found
            paths.append(path)
    assume(after != tree)
    return Edit(" and ".join(paths), tree, after)


@functools.lru_cache(maxsize=64)
def data_stacks_text(text: str) -> str:
    """The templates by stack name as JSON, since a test must not share what it can change."""
    with tempfile.TemporaryDirectory() as folder:
        return json.dumps(with_data_alone(text, Path(folder)))


def data_stacks(tree: Tree) -> Templates:
    made: Templates = json.loads(data_stacks_text(yaml_of(tree)))
    return made


def is_another_environment(edit: Edit) -> bool:
    """Whether `diff` stops because the file now is of another account or Region (E9010)."""
    before, after = (checked(yaml_of(tree)).config for tree in (edit.before, edit.after))
    assert before is not None
    assert after is not None
    return bool(elsewhere_findings(edited_keys(before, after, TABLE), "environment.yaml", TABLE))


def outcome(edit: Edit) -> str:
    """Returns the decision of `diff` about the edit; an accepted edit moves no data, and a replacement is rejected."""
    if is_another_environment(edit):
        return "another environment"
    before, after = data_stacks(edit.before), data_stacks(edit.after)
    moved = what_moved(before, after)
    comparison = Comparison(before, after, CATALOG)
    replaced = [a for a in comparison.replaced if holds_data(comparison.before, a)]
    orphaned = [a for a in comparison.removed if holds_data(comparison.before, a)]
    findings = change_findings(before, after, CATALOG)
    if moved:
        assert replaced or orphaned, f"{moved} move, and diff does not say so: {findings}"
    if replaced or orphaned:
        assert has_error(findings), f"diff says that {replaced or orphaned} move, and deploy goes on: {findings}"
        return "refused: replaces data" if replaced else "refused: orphans data"
    if has_error(findings):
        return "refused: another reason"
    return "in place" if comparison.updated or comparison.added else "changes nothing"


def counted_outcomes(number: int, *, seeded: bool) -> Counter[str]:
    """So many edits, each with the property; how many had which outcome."""
    counted: Counter[str] = Counter()

    @settings(
        max_examples=number,
        deadline=None,
        derandomize=seeded,
        database=None,
        print_blob=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(edit=edits_near_data())
    def check(edit: Edit) -> None:
        of_storage = any(path in OF_DATA for path in edit.path.split(" and "))
        counted[f"{'of storage' if of_storage else 'of other keys'}: {outcome(edit)}"] += 1

    check()
    return counted


@pytest.mark.slow
def test_an_edit_moves_no_data_unless_diff_says_so_and_deploy_refuses_it(cdk: Any) -> None:
    counted = counted_outcomes(FEW, seeded=True)
    assert counted.total() >= FEW


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lustre", "expected"),
    [
        ({"capacity_gib": "12000"}, "in place"),
        ({"capacity_gib": "2400"}, "refused: another reason"),
        ({"deployment_type": "persistent_1", "throughput_mbps_per_tib": "200"}, "refused: replaces data"),
        (None, "refused: orphans data"),
    ],
)
def test_each_outcome_is_seen(lustre: dict[str, str] | None, expected: str, cdk: Any) -> None:
    """So that the properties above cannot hold because nothing is looked at."""
    before = copy.deepcopy(next(tree for tree in shipped() if tree["name"] == "train-trn1"))
    storage = before["storage"]
    storage.pop("checkpoints", None)
    storage["lustre"] |= {"capacity_gib": "4800", "throughput_mbps_per_tib": "250"}
    after = copy.deepcopy(before)
    if lustre is None:
        del after["storage"]["lustre"]
    else:
        after["storage"]["lustre"] |= lustre
    assert outcome(Edit("storage.lustre", before, after)) == expected


@pytest.mark.slow
@pytest.mark.exhaustive
def test_thousands_of_edits_move_no_data_unless_diff_says_so_and_deploy_refuses_it(cdk: Any) -> None:
    """NEURON_CLUSTER_EXAMPLES sets the number, `--hypothesis-seed` the edits, `-rP` prints the counts."""
    counted = counted_outcomes(EXAMPLES, seeded=False)
    lines = [f"{number:6} {name}\n" for name, number in sorted(counted.items())]
    sys.stdout.writelines([f"{counted.total()} edits\n", *lines])
    assert counted.total() >= EXAMPLES
