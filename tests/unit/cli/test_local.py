"""`neuron-cluster local` in a project whose files have errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from neuron_cluster.cli.local import EXAMPLE_PLACE, _place
from neuron_cluster.cli.main import build_parser
from neuron_cluster.project import Project


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ((), EXAMPLE_PLACE),
        (("--account", "210987654321"), ("210987654321", EXAMPLE_PLACE[1])),
        (("--account", "210987654321", "--region", "eu-west-1"), ("210987654321", "eu-west-1")),
    ],
)
def test_a_file_that_cannot_be_read_does_not_keep_the_local_aws_from_its_start(
    given: tuple[str, ...], place: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "environments").mkdir()
    (tmp_path / "environments" / "only.yaml").write_text("schema: [\n")
    options = build_parser("local").parse_args(["local", *given])
    assert _place(options, Project(tmp_path)) == place
    said = capsys.readouterr().err
    assert ("can be read: the variables are of account 111122223333, Region us-west-2" in said) == (len(given) < 4)
