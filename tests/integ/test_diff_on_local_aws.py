"""`diff --local`: an edit compared with what the running local AWS has, and with what a deploy then does.

Nodes and access are compared where a cluster is deployed anyway: in ``test_cli_on_local_aws``.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.aws.session import LocalTarget, client
from neuron_cluster.lock.paths import local_locks, lock_path

from .only_data import ONLY_DATA, WITH_SYNC, with_only_data

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("local_aws")]

EDITED = ONLY_DATA.replace("1200", "2400").replace("bucket: {}", "bucket: {noncurrent_version_days: 9}")

Command = Callable[..., Any]


@pytest.fixture(scope="module")
def project(project: Path) -> Path:
    return with_only_data(project)


def change_by_hand(target: LocalTarget) -> None:
    """Suspends versions of the bucket, and keeps old ones for five days."""
    s3 = client(target, "s3")
    (bucket,) = [each["Name"] for each in s3.list_buckets()["Buckets"] if "only-data" in each["Name"]]
    s3.put_bucket_versioning(Bucket=bucket, VersioningConfiguration={"Status": "Suspended"})
    rules = s3.get_bucket_lifecycle_configuration(Bucket=bucket)["Rules"]
    for rule in rules:
        if "NoncurrentVersionExpiration" in rule:
            rule["NoncurrentVersionExpiration"]["NoncurrentDays"] = 5
    s3.put_bucket_lifecycle_configuration(Bucket=bucket, LifecycleConfiguration={"Rules": rules})


def test_diff_shows_an_edit_until_it_is_deployed_and_both_reject_a_blocked_one(
    command: Command, project: Path, target: LocalTarget
) -> None:
    new = command("diff", "--local", "only-data").document
    assert {stack["state"] for stack in new["stacks"]} == {"new"}
    assert new["drift"] is None
    assert {change["kind"] for change in new["data"]} == {"added"}
    assert command("deploy", "--local", "only-data").status == 0
    assert command("diff", "--local", "only-data").document["is_different"] is False

    change_by_hand(target)
    file = project / "environments" / "only-data.yaml"
    file.write_text(EDITED)
    edited = command("diff", "--local", "only-data")
    assert edited.status == 0
    drift = edited.document["drift"]
    rows = {row["property"].rpartition("/")[2]: row["next_deploy"]["effect"] for row in drift["drifts"]}
    assert rows == {"Status": "nothing", "NoncurrentDays": "sets another value"}
    assert (drift["compared"], drift["not_compared"]) == (2, [])
    assert drift["not_read"] > 10
    kinds = {change["resource"]: change["kind"] for change in edited.document["data"]}
    assert kinds["Lustre"] == "kept and grown"
    assert sorted(kinds.values()) == ["kept", "kept and grown", "kept, older objects deleted"]
    assert edited.document["cost"]["before"] is None
    reported = {stack["stack"]: stack["updated"] for stack in edited.document["stacks"]}
    assert reported == {"only-data-network": 0, "only-data-storage": 2}

    ran = command("deploy", "--local", "only-data")
    assert [name for name in ("W9597", "W9598") if name in ran.err] == ["W9597", "W9598"]
    assert "only-data.yaml` reads all" in " ".join(ran.err.split())
    deployed = ran.document["stacks"]
    assert {stack["name"]: stack["changed"] for stack in deployed} == {
        "only-data-network": False,
        "only-data-storage": True,
    }
    assert command("diff", "--local", "only-data").document["is_different"] is False

    file.write_text(EDITED.replace("10.40.0.0/16", "10.41.0.0/16"))
    reported, refused = command("diff", "--local", "only-data"), command("deploy", "--local", "only-data")
    assert (reported.status, refused.status) == (1, 1)
    assert errors(reported) == errors(refused)
    assert "E9001" in {finding_id for finding_id, _ in errors(reported)}


@pytest.mark.exhaustive
def test_a_new_file_system_has_a_metadata_configuration_and_keeps_it(
    command: Command, project: Path, target: LocalTarget
) -> None:
    file = project / "environments" / "only-data.yaml"
    file.write_text(EDITED)
    assert command("deploy", "--local", "only-data").status == 0
    (row,) = client(target, "fsx").describe_file_systems()["FileSystems"]
    assert row["LustreConfiguration"]["MetadataConfiguration"] == {"Mode": "AUTOMATIC"}
    assert not lock_path(local_locks(project), "only-data").exists()
    file.write_text(EDITED.replace("2400", "2400, metadata: none"))
    ran = command("diff", "--local", "only-data")
    assert errors(ran) == [("E9031", "storage.lustre")]
    assert "`metadata: automatic` in storage.lustre" in ran.document["findings"][-1]["hint"]


@pytest.mark.exhaustive
def test_the_mode_of_an_association_changes_in_place(command: Command, project: Path, target: LocalTarget) -> None:
    """From the mirror of a file without the key, to an archive and back."""
    file, fsx = project / "environments" / "only-data.yaml", client(target, "fsx")
    with_sync = WITH_SYNC.replace("1200", "2400")
    file.write_text(with_sync)
    assert command("deploy", "--local", "only-data").status == 0
    (mirror,) = fsx.describe_data_repository_associations()["Associations"]
    assert mirror["S3"]["AutoExportPolicy"]["Events"] == ["NEW", "CHANGED", "DELETED"]
    for mode, events in (("archive", ["NEW", "CHANGED"]), ("mirror", ["NEW", "CHANGED", "DELETED"])):
        file.write_text(with_sync.replace("sync: {}", f"sync: {{mode: {mode}}}"))
        reported = command("diff", "--local", "only-data")
        assert (reported.status, errors(reported)) == (0, [])
        assert command("deploy", "--local", "only-data").status == 0
        (row,) = fsx.describe_data_repository_associations()["Associations"]
        assert row["AssociationId"] == mirror["AssociationId"]
        assert (row["S3"]["AutoImportPolicy"]["Events"], row["S3"]["AutoExportPolicy"]["Events"]) == (events, events)


def errors(ran: Any) -> list[tuple[str, str]]:
    return sorted((f["id"], f["path"]) for f in ran.document["findings"] if f["severity"] == "error")
