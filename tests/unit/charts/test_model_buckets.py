"""charts/model-store with S3: to a bucket, and from one, by an AWS CLI that has a folder for its buckets."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

FILES = Path(__file__).parents[3] / "charts" / "model-store" / "files"
sys.path[:0] = [str(FILES), str(Path(__file__).parent)]

import bucket
from bucket import Bucket, BucketSource
from download import Download
from hub import Hub
from hub_server import COMMIT, CONFIG, WEIGHTS, HubServer, hub_server
from places import Folder, Prefix
from problem import FULL, NO_ACCESS, NO_INPUT, RETRY, USAGE, Problem

SHARD = "model-00001.safetensors"
TO = "s3://models/tiny"
AWS = r"""
#!/bin/sh
cd "$0.buckets" && echo "$*" >> calls
if [ -f says ]; then cat says >&2; exit 1; fi
absent() { echo "An error occurred (404) when calling the HeadObject operation: Not Found" >&2; exit 1; }
for word; do
  case $previous in --metadata) metadata=$word ;; --bucket) bucket=$word ;; --key | --prefix) key=$word ;; esac
  previous=$word from=$to to=$word
done
case $2 in
cp)
  case $from in
  s3://*)
    [ -f "${from#s3://}" ] || absent
    if [ "$to" = - ]; then cat "${from#s3://}"; else cp "${from#s3://}" "$to"; fi ;;
  *)
    to=${to#s3://}
    mkdir -p "${to%/*}" ".of/${to%/*}"
    if [ "$from" = - ]; then cat > "$to"; else cp "$from" "$to"; fi
    [ -z "$metadata" ] || echo "\"$metadata\"" | sed 's/=/":"/g; s/,/","/g' > ".of/$to" ;;
  esac ;;
head-object)
  [ -f "$bucket/$key" ] || absent
  echo "{\"ContentLength\": $(wc -c < "$bucket/$key"), \"Metadata\": {$(cat ".of/$bucket/$key" 2> /dev/null)}}" ;;
list-objects-v2)
  [ -d "$bucket/$key" ] || exit 0
  find "$bucket/$key" -type f -printf '{"Key": "%p", "Size": %s}\n' | sed "s|$bucket/||; 1!s/^/,/" > .rows
  echo "{\"Contents\": [$(cat .rows)]}" ;;
esac
"""
"""Copies, metadata, heads and lists; fails with the text of the file ``says``."""


@pytest.fixture
def s3(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    program = tmp_path / "aws"
    root = program.with_suffix(".buckets")
    root.mkdir()
    program.write_text(AWS.lstrip())
    program.chmod(0o755)
    monkeypatch.setattr(bucket, "AWS", str(program))
    return root


@pytest.fixture
def hub() -> Iterator[HubServer]:
    with hub_server() as server:
        yield server


def spec(**given: Any) -> dict[str, Any]:
    usual: dict[str, Any] = {"repository": "acme/tiny", "revision": COMMIT, "repositoryType": "model"}
    return usual | {"include": [], "exclude": [], "parallelFiles": 1, "attempts": 2} | given


def to_bucket(hub: HubServer, tmp_path: Path, scratch_gib: int = 1) -> str:
    asked = spec(endpoint=hub.address)
    return Download(asked, Hub(asked, None), Prefix(TO, tmp_path, scratch_gib, 1), lambda _: None).run()


def test_files_arrive_with_their_digests_and_the_manifest_last(hub: HubServer, s3: Path, tmp_path: Path) -> None:
    assert "complete: 3 files" in to_bucket(hub, tmp_path)
    assert (s3 / "models/tiny" / SHARD).read_bytes() == WEIGHTS
    assert list((tmp_path / "parts").iterdir()) == [], "what is in the bucket is not kept on the disk of the node"
    uploads = [call for call in (s3 / "calls").read_text().splitlines() if call.endswith(("json", SHARD, "txt"))]
    assert uploads[-1].endswith(" - s3://models/tiny/manifest.json")
    assert f"sha256={hashlib.sha256(WEIGHTS).hexdigest()}" in Path(s3 / "calls").read_text()
    assert "nothing to do" in to_bucket(hub, tmp_path)


def test_objects_of_a_killed_pod_are_not_sent_again(hub: HubServer, s3: Path, tmp_path: Path) -> None:
    to_bucket(hub, tmp_path)
    (s3 / "models/tiny/manifest.json").unlink()
    (s3 / "models/tiny/config.json").unlink()
    hub.requests.clear()
    to_bucket(hub, tmp_path)
    assert hub.ranges_of(SHARD) == []
    assert hub.ranges_of("config.json") == [None]


def test_an_object_of_another_origin_is_replaced(hub: HubServer, s3: Path, tmp_path: Path) -> None:
    """An object of the same size, but without the digest in its metadata."""
    (s3 / "models/tiny").mkdir(parents=True)
    (s3 / "models/tiny/config.json").write_bytes(b"x" * len(CONFIG))
    to_bucket(hub, tmp_path)
    assert (s3 / "models/tiny/config.json").read_bytes() == CONFIG


def test_a_file_that_is_larger_than_the_disk_of_the_pod_is_known_before_it_starts(
    hub: HubServer, s3: Path, tmp_path: Path
) -> None:
    """The kubelet would evict the pod without a word of its own."""
    with pytest.raises(Problem, match=r"more than machine\.scratchGib \(0\)") as raised:
        to_bucket(hub, tmp_path, scratch_gib=0)
    assert raised.value.code == FULL
    assert hub.ranges_of(SHARD) == []


def from_bucket(url: str, to: Path) -> str:
    return Download(spec(source="s3", url=url), BucketSource(url), Folder(to), lambda _: None).run()


def test_a_prefix_with_a_manifest_is_copied_with_its_checksums(hub: HubServer, s3: Path, tmp_path: Path) -> None:
    to_bucket(hub, tmp_path)
    assert "complete: 3 files" in from_bucket(TO, tmp_path / "m")
    assert "nothing to do" in from_bucket(TO, tmp_path / "m")
    (s3 / "models/tiny/config.json").write_bytes(b"x" * len(CONFIG))
    with pytest.raises(Problem, match="another checksum"):
        from_bucket(TO, tmp_path / "again")


def test_a_prefix_without_a_manifest_is_copied_by_size(s3: Path, tmp_path: Path) -> None:
    (s3 / "models/own/sub").mkdir(parents=True)
    (s3 / "models/own/sub/a.bin").write_bytes(b"abc")
    from_bucket("s3://models/own/", tmp_path / "m")
    found = json.loads((tmp_path / "m/manifest.json").read_text())
    assert found["files"] == [{"path": "sub/a.bin", "size": 3, "sha256": hashlib.sha256(b"abc").hexdigest()}]
    assert found["origin"] == {"source": "s3", "url": "s3://models/own"}


def test_an_empty_prefix_is_a_problem(s3: Path, tmp_path: Path) -> None:
    with pytest.raises(Problem, match=r"check download\.url") as raised:
        from_bucket("s3://models/nothing", tmp_path / "m")
    assert raised.value.code == NO_INPUT


@pytest.mark.parametrize(
    ("says", "code"),
    [
        ("fatal error: An error occurred (403) when calling the HeadObject operation: Forbidden", NO_ACCESS),
        ("Unable to locate credentials. You can configure credentials by running aws configure", NO_ACCESS),
        ("An error occurred (NoSuchBucket) when calling the ListObjectsV2 operation", NO_INPUT),
        ("[Errno 28] No space left on device", FULL),
        ("Connect timeout on endpoint URL", RETRY),
    ],
)
def test_what_the_aws_cli_says_is_understood(says: str, code: int, s3: Path, tmp_path: Path) -> None:
    (s3 / "says").write_text(says)
    with pytest.raises(Problem) as raised:
        Bucket(TO).download("config.json", tmp_path / "x")
    assert raised.value.code == code
    assert says.splitlines()[-1] in str(raised.value) or code == FULL


def test_an_image_without_the_aws_cli_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bucket, "AWS", "/nowhere/aws")
    with pytest.raises(Problem, match="no AWS CLI") as raised:
        Bucket(TO).text("x")
    assert raised.value.code == USAGE
