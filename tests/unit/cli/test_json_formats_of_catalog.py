"""JSON output of `catalog`: every kind, with every property of its schema."""

from __future__ import annotations

import pytest

from neuron_cluster.cli.catalog import KINDS
from tests.json_outputs import FORMAT, accepted_mutations, records, unseen

from .conftest import Command

FRAMEWORKS = ("frameworks", "--chip", "trainium")


def test_every_property_of_every_kind_is_printed(command: Command) -> None:
    found = [command("catalog", *line, *FORMAT).document for line in (*((kind,) for kind in KINDS), FRAMEWORKS)]
    assert unseen("catalog", found) == []
    assert [change for each in found for change in accepted_mutations("catalog", each)] == []


@pytest.mark.parametrize(
    ("line", "record"),
    [
        (("instances", "trn2.48xlarge"), "InstanceType"),
        (("amis", "base_ubuntu_24_04"), "Dlami"),
        (("amis", "AL2023_x86_64_NEURON"), "AmiType"),
        (("ecs", "amazon_linux_2_inf"), "EcsAmi"),
        (("frameworks", "vllm"), "Framework"),
    ],
)
def test_a_row_is_a_list_of_one(command: Command, line: tuple[str, ...], record: str) -> None:
    found = command("catalog", *line, *FORMAT).document
    assert (len(found), next(records("catalog", found))) == (1, (record, found[0]))


def test_a_framework_that_runs_with_no_release_has_no_range(command: Command) -> None:
    found = command("catalog", *FRAMEWORKS, *FORMAT).document
    ranges = {(each["name"], each["state"]): each["sdk_range"] for each in found}
    assert None in ranges.values()
    assert {state for (_, state), value in ranges.items() if value is None} == {"retired"}
