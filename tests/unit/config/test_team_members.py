"""Members of a team are IAM roles; the message for any other ARN names what it may be."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from neuron_cluster.config.source_map import SourceMap
from neuron_cluster.config.validation import validate_tree
from tests.five_teams import team

ENVIRONMENT = Path(__file__).parents[3] / "environments" / "train-trn1.yaml"


@pytest.mark.parametrize(
    "arn",
    [
        "arn:aws:sts::111122223333:assumed-role/research/alice",
        "arn:aws:iam::111122223333:user/alice",
        "arn:aws:iam::111122223333:root",
        "research",
    ],
)
def test_what_is_no_role_is_rejected_with_what_to_write(arn: str) -> None:
    tree = yaml.load(ENVIRONMENT.read_text(), Loader=yaml.BaseLoader)  # noqa: S506 - as texts, like the loader
    tree["teams"] = [team("research", members=[arn], quota=[])]
    (found,) = validate_tree(tree, SourceMap("e.yaml")).findings
    assert (found.id, found.location.path) == ("E0013", "teams[0].members[0]")
    assert arn in found.message
    assert "not of a session (assumed-role), user or account" in found.message
    assert "arn:aws:iam::111122223333:role/research" in found.hint
