"""State Manager associations by API calls: an update sets everything again, and a document must exist."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from local_aws.server import LocalAws

Clients = Callable[[str], Any]
Refused = Callable[..., tuple[str, str]]
SHELL = "AWS-RunShellScript"
NOWHERE = "00000000-0000-0000-0000-000000000000"


def test_an_update_takes_away_what_it_does_not_name(client: Clients) -> None:
    ssm = client("ssm")
    targets = [{"Key": "InstanceIds", "Values": ["i-0123456789abcdef0"]}]
    made = ssm.create_association(
        Name=SHELL, AssociationName="limit", Targets=targets, Parameters={"commands": ["true"]}
    )
    association_id = made["AssociationDescription"]["AssociationId"]
    ssm.update_association(AssociationId=association_id, Name=SHELL, Targets=targets)
    row = ssm.describe_association(AssociationId=association_id)["AssociationDescription"]
    assert (row["AssociationVersion"], row["Targets"]) == ("2", targets)
    assert "Parameters" not in row
    assert "AssociationName" not in row


def test_a_document_and_an_association_that_are_not_there_are_refused(client: Clients, refused: Refused) -> None:
    ssm = client("ssm")
    wanted = {"Name": SHELL, "InstanceId": "i-0123456789abcdef0"}
    assert refused(ssm.create_association, **{**wanted, "Name": "mine"})[0] == "InvalidDocument"
    association_id = ssm.create_association(**wanted)["AssociationDescription"]["AssociationId"]
    assert refused(ssm.update_association, AssociationId=association_id, Name="mine")[0] == "InvalidDocument"
    ssm.create_document(Name="mine", Content='{"schemaVersion": "2.2"}', DocumentType="Command", DocumentFormat="JSON")
    ssm.update_association(AssociationId=association_id, Name="mine")
    for call in (ssm.describe_association, ssm.delete_association, ssm.update_association):
        assert refused(call, AssociationId=NOWHERE)[0] == "AssociationDoesNotExist"
    assert refused(ssm.delete_association, Name=SHELL)[0] == "AssociationDoesNotExist", "an id is supported alone"
    assert [each["AssociationId"] for each in ssm.list_associations()["Associations"]] == [association_id]


def test_an_update_leaves_what_only_a_creation_sets(
    client: Clients, local_aws: LocalAws, request: pytest.FixtureRequest
) -> None:
    request.addfinalizer(local_aws.clock.reset)
    ssm = client("ssm")
    made = ssm.create_association(Name=SHELL, InstanceId="i-0123456789abcdef0", ScheduleExpression="rate(1 hour)")
    before = made["AssociationDescription"]
    named = {"AssociationId": before["AssociationId"]}
    local_aws.clock.advance(timedelta(hours=1))
    ssm.update_association(**named, AssociationVersion="$LATEST", ScheduleExpression="rate(2 hours)")
    row = ssm.describe_association(**named)["AssociationDescription"]
    assert (row["Name"], row["InstanceId"], row["Date"]) == (SHELL, "i-0123456789abcdef0", before["Date"])
    assert (row["AssociationVersion"], row["ScheduleExpression"]) == ("2", "rate(2 hours)")
    assert row["LastUpdateAssociationDate"] > before["LastUpdateAssociationDate"]


def test_an_association_has_the_tags_of_its_creation_and_later_ones(client: Clients, refused: Refused) -> None:
    ssm, tag = client("ssm"), {"Key": "team", "Value": "research"}
    made = ssm.create_association(Name=SHELL, InstanceId="i-0123456789abcdef0", Tags=[tag])
    named = {"ResourceType": "Association", "ResourceId": made["AssociationDescription"]["AssociationId"]}
    assert ssm.list_tags_for_resource(**named)["TagList"] == [tag]
    ssm.add_tags_to_resource(**named, Tags=[{"Key": "use", "Value": "stop"}])
    ssm.remove_tags_from_resource(**named, TagKeys=["team"])
    assert ssm.list_tags_for_resource(**named)["TagList"] == [{"Key": "use", "Value": "stop"}]
    ssm.delete_association(AssociationId=named["ResourceId"])
    assert refused(ssm.add_tags_to_resource, **named, Tags=[tag])[0] in ("InvalidResourceId", "InvalidResourceType")
