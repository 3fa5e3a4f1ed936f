"""A local AWS that is written to a file and restored; files that are not such a snapshot."""

from __future__ import annotations

import fcntl
import hashlib
import json
import resource
import shutil
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from local_aws.clients import local_client
from local_aws.server import LocalAws
from local_aws.snapshot.archive import SnapshotError
from local_aws.snapshot.archive import written as written_archive

pytestmark = pytest.mark.slow
ACCOUNT, REGION = "111122223333", "us-west-2"
TEMPLATE = {
    "Resources": {"Parameter": {"Type": "AWS::SSM::Parameter", "Properties": {"Type": "String", "Value": "1"}}},
    "Outputs": {"Name": {"Value": {"Ref": "Parameter"}, "Export": {"Name": "parameter"}}},
}


def client(aws: LocalAws, service: str) -> Any:
    return local_client(service, aws.endpoint, ACCOUNT, REGION)


@pytest.fixture(scope="module")
def snapshot(local_aws: LocalAws, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the snapshot of a local AWS with a stack and an object of S3, whose clock is a day ahead."""
    cloudformation = client(local_aws, "cloudformation")
    cloudformation.create_stack(StackName="one", TemplateBody=json.dumps(TEMPLATE))
    cloudformation.get_waiter("stack_create_complete").wait(StackName="one")
    client(local_aws, "s3").create_bucket(Bucket="bodies", CreateBucketConfiguration={"LocationConstraint": REGION})
    client(local_aws, "s3").put_object(Bucket="bodies", Key="k", Body=b"x" * 100_000)
    local_aws.clock.advance(timedelta(days=1))
    path = tmp_path_factory.mktemp("snapshot") / "aws.zip"
    local_aws.snapshot(path)
    local_aws.clock.reset()
    return path


@pytest.fixture
def written(snapshot: Path, tmp_path: Path) -> Path:
    """The snapshot, for one test."""
    return Path(shutil.copy2(snapshot, tmp_path / "aws.zip"))


def test_restored_state_is_that_of_the_snapshot(local_aws, written):
    events = client(local_aws, "cloudformation").describe_stack_events(StackName="one")["StackEvents"]
    local_aws.empty()
    client(local_aws, "ssm").put_parameter(Name="/later", Value="1", Type="String")
    local_aws.restore(written)
    cloudformation = client(local_aws, "cloudformation")
    assert cloudformation.describe_stack_events(StackName="one")["StackEvents"] == events
    assert [each["Name"] for each in cloudformation.list_exports()["Exports"]] == ["parameter"]
    assert client(local_aws, "s3").get_object(Bucket="bodies", Key="k")["Body"].read() == b"x" * 100_000
    assert [each["Name"] for each in client(local_aws, "ssm").describe_parameters()["Parameters"]] != ["/later"]
    assert local_aws.clock.ahead == timedelta(days=1)
    local_aws.clock.reset()
    cloudformation.delete_stack(StackName="one")
    cloudformation.get_waiter("stack_delete_complete").wait(StackName="one")
    assert client(local_aws, "ssm").describe_parameters()["Parameters"] == []


def test_running_operation_ends_first(local_aws, tmp_path):
    path = tmp_path / "aws.zip"
    cloudformation = client(local_aws, "cloudformation")
    with local_aws.faults.slow("create", "AWS::SSM::Parameter") as fault:
        cloudformation.create_stack(StackName="two", TemplateBody=json.dumps({"Resources": TEMPLATE["Resources"]}))
        assert fault.reached.wait(10)
        with pytest.raises(SnapshotError, match="while a fault holds a resource"):
            local_aws.snapshot(path)
        writer = threading.Thread(target=local_aws.snapshot, args=(path,))
        fault.released.set()
        writer.start()
        writer.join()
    local_aws.empty()
    local_aws.restore(path)
    assert cloudformation.describe_stacks(StackName="two")["Stacks"][0]["StackStatus"] == "CREATE_COMPLETE"


def changed(path: Path, entry: str, content: bytes) -> None:
    with zipfile.ZipFile(path) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, before in entries.items():
            archive.writestr(name, content if name == entry else before)


def manifest_with(path: Path, **values: Any) -> None:
    with zipfile.ZipFile(path) as archive:
        manifest = json.loads(archive.read("manifest.json"))
    changed(path, "manifest.json", json.dumps({**manifest, **values}).encode())


def body_changed(path: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        body = next(name for name in archive.namelist() if name.startswith("bodies/"))
    changed(path, body, b"other")


def repacked(path: Path, compression: int) -> None:
    with zipfile.ZipFile(path) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)


def forged(path: Path, mutable: list[Any], immutable: list[Any], root: Any) -> None:
    """The objects of another author, with the digest that the manifest needs."""
    objects = json.dumps([mutable, immutable, root]).encode()
    manifest_with(path, objects=hashlib.sha256(objects).hexdigest())
    changed(path, "objects.json", objects)


def yaml_in_a_default(path: Path) -> None:
    """Reading any missing key would load this YAML, which runs a command."""
    text = "!!python/object/apply:os.system [touch PWNED]"
    stack = ["object", "moto.cloudformation.models:FakeStack", {"template": text}]
    factory = ["object", "collections:defaultdict", {"default_factory": [-1]}, {}]
    forged(path, [stack, factory], [["method", [0], "_parse_template"]], [1])


BROKEN = {
    "code in a default": (yaml_in_a_default, "has objects of 'moto.cloudformation.models'"),
    "state of another form": (lambda path: forged(path, [["list", []]], [], [0]), "the state of the snapshot has"),
    "compressed bodies": (lambda path: repacked(path, zipfile.ZIP_DEFLATED), "is compressed, and a body is as large"),
    "no zip": (lambda path: path.write_text("hello"), "is not a snapshot, or it is damaged"),
    "another zip": (lambda path: zipfile.ZipFile(path, "w").close(), "is not a snapshot, or it is damaged"),
    "truncated": (lambda path: path.write_bytes(path.read_bytes()[:-2000]), "is not a snapshot, or it is damaged"),
    "objects changed": (lambda path: changed(path, "objects.json", b"[[],[],{}]"), "objects.json is not what"),
    "body changed": (body_changed, "is not what the manifest describes"),
    "manifest no object": (lambda path: changed(path, "manifest.json", b"[]"), "is not a snapshot, or it is damaged"),
    "format": (lambda path: manifest_with(path, format=99), "of format 99; this version reads format 1"),
    "moto": (lambda path: manifest_with(path, versions={"moto": "4.0.0"}), "written with moto '4.0.0', and this is"),
    "no versions": (lambda path: manifest_with(path, versions=[]), "is not a snapshot, or it is damaged"),
    "missing": (lambda path: path.unlink(), "there is no file"),
    "folder": (lambda path: (path.unlink(), path.mkdir()), "is a folder"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_file_restores_nothing(local_aws, written, name):
    breaking, text = BROKEN[name]
    breaking(written)
    client(local_aws, "ssm").put_parameter(Name="/before", Value="1", Type="String", Overwrite=True)
    with pytest.raises(SnapshotError, match=text) as refused:
        local_aws.restore(written)
    assert refused.value.hint
    assert client(local_aws, "ssm").get_parameter(Name="/before")["Parameter"]["Value"] == "1"


@contextmanager
def files_up_to(size: int) -> Iterator[None]:
    """As on a full disk, a file cannot become larger."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_full_disk_leaves_the_file_as_it_was(local_aws, written):
    before = written.read_bytes()
    with files_up_to(10_000), pytest.raises(SnapshotError, match=r"cannot be written: .*") as refused:
        local_aws.snapshot(written)
    assert "unchanged" in refused.value.hint
    assert written.read_bytes() == before
    assert [each.name for each in written.parent.iterdir()] == [written.name]


def test_place_that_cannot_be_written_is_refused(local_aws, tmp_path):
    for path, text in (
        (tmp_path, "is a folder"),
        (tmp_path / "none" / "aws.zip", "there is no folder"),
        (Path("/dev/null"), "is not a regular file"),
    ):
        with pytest.raises(SnapshotError, match=text):
            local_aws.snapshot(path)


def test_state_that_is_not_supported_leaves_the_file_as_it_was(local_aws, written):
    before = written.read_bytes()
    local_aws.store.table(ACCOUNT, REGION, "test.threads")["one"] = threading.current_thread()
    with pytest.raises(SnapshotError, match=r"test.threads.*\['one'\] is of threading\._MainThread"):
        local_aws.snapshot(written)
    local_aws.empty()
    assert written.read_bytes() == before


def test_only_its_user_reads_it(written):
    assert written.stat().st_mode & 0o777 == 0o600


def test_files_of_a_killed_process_next_to_a_snapshot_are_removed_and_open_ones_stay(tmp_path):
    path = tmp_path / "aws.zip"
    for name in (".aws.zip-abandone", ".aws.zip-written_", ".aws.zip-notes", ".other.zip-abandone"):
        (tmp_path / name).write_bytes(b"PK")
    (tmp_path / ".aws.zip-afolder_").mkdir()
    with (tmp_path / ".aws.zip-written_").open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with written_archive(path) as archive:
            assert len(list(tmp_path.glob(".aws.zip-*"))) == 4
            archive.finish([])
    left = {each.name for each in tmp_path.iterdir()}
    assert left == {"aws.zip", ".aws.zip-written_", ".aws.zip-notes", ".aws.zip-afolder_", ".other.zip-abandone"}
