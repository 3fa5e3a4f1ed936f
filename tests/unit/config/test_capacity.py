"""Keys that a purchase option may have, and others."""

import pytest
from pydantic import TypeAdapter, ValidationError

from neuron_cluster.config.capacity import Capacity
from neuron_cluster.config.machine import Count

ID = "cr-0123456789abcdef0"
BLOCK = {"kind": "capacity_block", "reservation_id": ID}
ULTRASERVERS = {"kind": "ultraserver_block", "reservation_id": ID, "ultraserver": "u-trn2x64"}
ARN = "arn:aws:resource-groups:us-west-2:111122223333:group/"


def mistakes(wish: dict[str, str]) -> list[tuple[str, str]]:
    """Place and pydantic's name of each mistake."""
    try:
        TypeAdapter(Capacity).validate_python(wish)
    except ValidationError as error:
        return [(str(each["loc"][-1]) if each["loc"] else "", each["type"]) for each in error.errors()]
    return []


@pytest.mark.parametrize(
    "wish",
    [
        {"kind": "reservation", "reservation_id": "cr-01234567"},
        {"kind": "reservation", "resource_group": f"{ARN}trn1"},
        {"kind": "reservation", "resource_group": f"{ARN}trn1.a_b-C/0123456789abcdefghijklmnop"},
        {"kind": "reservation", "resource_group": ARN.replace("aws:", "aws-us-gov:").replace("us-w", "us-gov-w") + "a"},
        {"kind": "reservation", "match": "open"},
        {**BLOCK, "starts": "2026-12-01T11:30Z", "ends": "2028-02-29T11:30:00Z"},
        ULTRASERVERS,
    ],
)
def test_what_can_be_written(wish: dict[str, str]) -> None:
    assert mistakes(wish) == []


@pytest.mark.parametrize(
    ("wish", "mistake"),
    [
        ({"kind": "spot", "reservation_id": ID}, ("reservation_id", "extra_forbidden")),
        ({"kind": "on_demand", "ends": "2026-12-01T11:30:00Z"}, ("ends", "extra_forbidden")),
        ({"kind": "spot, on_demand"}, ("", "union_tag_invalid")),
        ({**BLOCK, "match": "open"}, ("match", "extra_forbidden")),
        ({**BLOCK, "ultraserver": "u-trn2x64"}, ("ultraserver", "extra_forbidden")),
        ({"kind": "capacity_block"}, ("reservation_id", "missing")),
        ({**BLOCK, "reservation_id": "cb-0123456789abcdef0"}, ("reservation_id", "string_pattern_mismatch")),
        ({**BLOCK, "reservation_id": "cr-0123456789abcdefg"}, ("reservation_id", "string_pattern_mismatch")),
        ({"kind": "reservation", "match": "closed"}, ("match", "enum")),
        ({"kind": "reservation", "resource_group": "trn1"}, ("resource_group", "string_pattern_mismatch")),
        (
            {"kind": "reservation", "resource_group": ARN.replace("resource-groups", "ec2") + "trn1"},
            ("resource_group", "string_pattern_mismatch"),
        ),
        ({**BLOCK, "starts": "tomorrow"}, ("starts", "string_pattern_mismatch")),
        ({**BLOCK, "starts": "2026-12-01"}, ("starts", "string_pattern_mismatch")),
        ({**BLOCK, "starts": "2026-12-01T11:30:00+01:00"}, ("starts", "string_pattern_mismatch")),
        ({**BLOCK, "starts": "2026-02-30T11:30:00Z"}, ("starts", "time")),
        ({**BLOCK, "ends": "2026-12-01T24:30:00Z"}, ("ends", "time")),
        ({"kind": "ultraserver_block", "reservation_id": ID}, ("ultraserver", "missing")),
        ({**ULTRASERVERS, "ultraserver": "trn2u.48xlarge"}, ("ultraserver", "string_pattern_mismatch")),
    ],
)
def test_what_cannot(wish: dict[str, str], mistake: tuple[str, str]) -> None:
    assert mistakes(wish) == [mistake]


@pytest.mark.parametrize("key", ["min", "desired", "max"])
def test_no_count_is_negative(key: str) -> None:
    with pytest.raises(ValidationError, match="greater than or equal"):
        Count.model_validate({"max": "4", key: "-4"})
