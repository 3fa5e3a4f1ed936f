"""Events of CloudFormation for a custom resource."""

from __future__ import annotations

from local_aws.custom_resources.event import as_strings


def test_every_scalar_becomes_a_string_and_nulls_vanish():
    given = {"Wait": True, "Atomic": False, "Count": 3, "Share": 0.5, "Gone": None, "Deep": [{"On": True}, 2]}
    assert as_strings(given) == {
        "Wait": "true",
        "Atomic": "false",
        "Count": "3",
        "Share": "0.5",
        "Deep": [{"On": "true"}, "2"],
    }
