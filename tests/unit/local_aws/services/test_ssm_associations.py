"""State Manager associations by API calls: an update says everything anew, and a document must be there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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
