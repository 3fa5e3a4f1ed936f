"""Tags of a resource come from the stack and from itself."""

from __future__ import annotations

import pytest
from botocore.exceptions import ParamValidationError

from local_aws.engine.provider import ResourceContext
from local_aws.handlers.tags import desired_tags, tag_changes
from local_aws.resource_types.tags import tag_list, tag_map

CONTEXT = ResourceContext(
    "123456789012", "us-west-2", "s", "arn", "L", "http://127.0.0.1:1", {"team": "stack", "a": "b"}
)


@pytest.mark.parametrize("own", [[{"Key": "team", "Value": "own"}], {"team": "own"}])
def test_own_tags_win(own: object) -> None:
    """A tag of the resource overrules the stack's of the same key, as a list and as a map."""
    assert desired_tags(CONTEXT, {"Tags": own}) == {"team": "own", "a": "b"}


def test_a_tag_is_made_of_key_and_value() -> None:
    """A misspelt member is refused."""
    with pytest.raises(ParamValidationError, match="Key and Value"):
        desired_tags(CONTEXT, {"Tags": [{"key": "team", "value": "own"}]})


def test_changes_set_what_differs_and_take_off_the_rest() -> None:
    """Only what must change is sent."""
    assert tag_changes({"same": "1", "other": "1", "gone": "1"}, {"same": "1", "other": "2", "new": "3"}) == (
        {"other": "2", "new": "3"},
        ["gone"],
    )


def test_the_services_own_tags_are_not_shown() -> None:
    """Tags under aws: are not the template's."""
    row = {"b": "2", "a": "1", "aws:ec2launchtemplate:id": "lt"}
    assert tag_map([{"Key": key, "Value": value} for key, value in row.items()]) == {"a": "1", "b": "2"}


def test_a_reserved_tag_of_the_template_reaches_the_service() -> None:
    """Which refuses it; dropped in silence, the deploy would be green and wrong."""
    assert tag_list(desired_tags(CONTEXT, {"Tags": [{"Key": "aws:x", "Value": "1"}]}))[1] == {
        "Key": "aws:x",
        "Value": "1",
    }
