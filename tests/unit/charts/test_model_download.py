"""The programs of charts/model-store that download: from a Hub with faults, to a folder."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

FILES = Path(__file__).parents[3] / "charts" / "model-store" / "files"
sys.path[:0] = [str(FILES), str(Path(__file__).parent)]

import manifest
import places
from download import Download, _token
from hub import Hub
from hub_server import COMMIT, CONFIG, WEIGHTS, HubServer, hub_server
from places import Folder
from problem import DATA, FULL, NO_ACCESS, NO_INPUT, RETRY, USAGE, Interrupted, Problem, writing_failed

SHARD = "model-00001.safetensors"
WHO = "hf_of_nobody"
REVISION_API = "/api/models/acme/tiny/revision/main"


@pytest.fixture
def hub() -> Iterator[HubServer]:
    with hub_server() as server:
        yield server


def spec_for(hub: HubServer, **given: Any) -> dict[str, Any]:
    usual = {"source": "huggingface", "endpoint": hub.address, "repository": "acme/tiny", "revision": "main"}
    usual |= {"repositoryType": "model", "include": [], "exclude": [], "parallelFiles": 2, "attempts": 3}
    return usual | given


class Waits(list[float]):
    """Does not wait."""

    def __call__(self, seconds: float) -> None:
        self.append(seconds)


def download(hub: HubServer, to: Path, token: str | None = None, waits: Waits | None = None, **given: Any) -> str:
    spec = spec_for(hub, **given)
    sleep = Waits() if waits is None else waits
    return Download(spec, Hub(spec, token, timeout_seconds=5), Folder(to), sleep).run()


def written(to: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((to / "manifest.json").read_text())
    return found


def failure(hub: HubServer, to: Path, **given: Any) -> Problem:
    with pytest.raises(Problem) as raised:
        download(hub, to, **given)
    assert not (to / "manifest.json").exists()
    return raised.value


def test_every_file_is_checked_and_the_manifest_names_the_commit(hub: HubServer, tmp_path: Path) -> None:
    said = download(hub, tmp_path / "m")
    assert "is complete: 3 files" in said
    assert (tmp_path / "m" / SHARD).read_bytes() == WEIGHTS
    assert (tmp_path / "m" / "config.json").read_bytes() == CONFIG
    found = written(tmp_path / "m")
    assert found["origin"] == {
        "source": "huggingface", "type": "model", "repository": "acme/tiny", "revision": COMMIT,
    }  # fmt: skip
    assert {row["path"]: row["sha256"] for row in found["files"]}[SHARD] == hashlib.sha256(WEIGHTS).hexdigest()
    assert sorted(each.name for each in (tmp_path / "m").iterdir()) == [
        "config.json", "manifest.json", SHARD, "original",
    ]  # fmt: skip


def test_a_second_run_of_a_branch_asks_once_and_of_a_commit_not_at_all(hub: HubServer, tmp_path: Path) -> None:
    download(hub, tmp_path)
    hub.requests.clear()
    assert "nothing to do" in download(hub, tmp_path)
    assert [path for path, _, _ in hub.requests] == [REVISION_API]
    hub.requests.clear()
    assert "nothing to do" in download(hub, tmp_path, revision=COMMIT)
    assert hub.requests == []


def test_a_broken_connection_goes_on_at_the_byte_where_it_broke(hub: HubServer, tmp_path: Path) -> None:
    hub.breaks_at = [1000, 5000]
    waits = Waits()
    download(hub, tmp_path, waits=waits, include=[SHARD])
    assert hub.ranges_of(SHARD) == [None, "bytes=1000-", "bytes=6000-"]
    assert (tmp_path / SHARD).read_bytes() == WEIGHTS
    assert waits == [2.0, 2.0], "progress begins the back-off anew"


def test_a_server_without_ranges_sends_the_file_again(hub: HubServer, tmp_path: Path) -> None:
    hub.breaks_at, hub.has_ranges = [1000], False
    download(hub, tmp_path, include=[SHARD])
    assert (tmp_path / SHARD).read_bytes() == WEIGHTS


def test_what_a_killed_pod_left_is_used(hub: HubServer, tmp_path: Path) -> None:
    """A part of one file, and another file as a whole."""
    parts = tmp_path / places.PARTS
    parts.mkdir()
    (parts / hashlib.sha256(SHARD.encode()).hexdigest()).write_bytes(WEIGHTS[:77])
    (tmp_path / "config.json").write_bytes(CONFIG)
    download(hub, tmp_path)
    assert hub.ranges_of(SHARD) == ["bytes=77-"]
    assert hub.ranges_of("config.json") == []


def test_a_file_of_the_same_size_with_other_bytes_is_replaced(hub: HubServer, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_bytes(b"x" * len(CONFIG))
    download(hub, tmp_path)
    assert (tmp_path / "config.json").read_bytes() == CONFIG


def test_a_wrong_start_of_a_part_costs_one_copy(hub: HubServer, tmp_path: Path, capsys: Any) -> None:
    parts = tmp_path / places.PARTS
    parts.mkdir()
    (parts / hashlib.sha256(SHARD.encode()).hexdigest()).write_bytes(b"\xff" * 77)
    download(hub, tmp_path)
    assert (tmp_path / SHARD).read_bytes() == WEIGHTS
    assert "the checksum is wrong" in capsys.readouterr().out


def test_a_source_whose_bytes_are_others_is_not_tried_for_ever(hub: HubServer, tmp_path: Path) -> None:
    hub.sent[SHARD] = b"\0" * len(WEIGHTS)
    problem = failure(hub, tmp_path)
    assert problem.code == DATA
    assert "another checksum" in str(problem)
    assert not (tmp_path / SHARD).exists()


def test_a_rate_limit_is_waited_for_as_long_as_the_hub_says(hub: HubServer, tmp_path: Path) -> None:
    hub.faults[REVISION_API] = [
        (429, {"RateLimit": '"api";r=0;t=55'}, b""), (429, {"Retry-After": "7"}, b""), (503, {}, b""),
    ]  # fmt: skip
    waits = Waits()
    download(hub, tmp_path, waits=waits, attempts=4)
    assert waits == [55.0, 7.0, 8.0]


def test_a_hub_that_stays_away_is_left_to_the_next_pod(hub: HubServer, tmp_path: Path) -> None:
    hub.faults[REVISION_API] = [(502, {}, b"")] * 3
    problem = failure(hub, tmp_path)
    assert (problem.code, "3 attempts" in str(problem)) == (RETRY, True)


@pytest.mark.parametrize(
    ("fault", "token", "code", "says"),
    [
        ((401, {"X-Error-Code": "GatedRepo"}), None, NO_ACCESS, "accept its terms"),
        ((403, {"X-Error-Code": "GatedRepo"}), "t", NO_ACCESS, "the account of the token has no access"),
        ((401, {"X-Error-Code": "RepoNotFound"}), None, NO_ACCESS, "without a token it cannot be read"),
        ((404, {"X-Error-Code": "RevisionNotFound"}), None, NO_INPUT, "no revision main: set download.revision"),
        ((404, {}), None, NO_INPUT, "check download.repository"),
        ((418, {}), None, USAGE, "HTTP 418"),
    ],
)
def test_what_no_other_pod_can_do_better_has_a_code_and_advice(
    fault: tuple[int, dict[str, str]], token: str | None, code: int, says: str, hub: HubServer, tmp_path: Path
) -> None:
    hub.faults[REVISION_API] = [(*fault, b"")]
    problem = failure(hub, tmp_path, token=token)
    assert problem.code == code
    assert says in str(problem)
    assert "\n" not in str(problem)


def test_the_token_does_not_reach_the_storage_of_another_host(hub: HubServer, tmp_path: Path) -> None:
    download(hub, tmp_path, token=WHO)
    held = {path.split("/")[1]: authorization for path, _, authorization in hub.requests}
    assert held == {"api": f"Bearer {WHO}", "acme": f"Bearer {WHO}", "storage": None}


def test_files_are_chosen_by_patterns(hub: HubServer, tmp_path: Path) -> None:
    download(hub, tmp_path, include=["*.json", "original/*"], exclude=["original/*"])
    assert [row["path"] for row in written(tmp_path)["files"]] == ["config.json"]
    assert failure(hub, tmp_path / "none", include=["*.gguf"]).code == NO_INPUT


def test_a_folder_with_another_model_is_left_alone(hub: HubServer, tmp_path: Path) -> None:
    download(hub, tmp_path)
    before = written(tmp_path)
    with pytest.raises(Problem, match="already has something else") as raised:
        download(hub, tmp_path, include=["config.json"])
    assert raised.value.code == USAGE
    assert written(tmp_path) == before


def test_a_file_that_was_lost_is_downloaded_again(hub: HubServer, tmp_path: Path) -> None:
    download(hub, tmp_path)
    (tmp_path / "config.json").unlink()
    hub.requests.clear()
    assert "is complete" in download(hub, tmp_path)
    assert (tmp_path / "config.json").read_bytes() == CONFIG
    assert hub.ranges_of(SHARD) == []


def test_another_pod_is_waited_for(hub: HubServer, tmp_path: Path) -> None:
    parts = tmp_path / places.PARTS
    parts.mkdir()
    with (parts / "lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        problem = failure(hub, tmp_path)
    assert problem.code == RETRY
    assert "another pod" in str(problem)


def test_a_volume_that_is_too_small_is_known_before_the_first_byte(
    hub: HubServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "statvfs", lambda _: os.statvfs_result((4096, 4096, 9, 9, 1, 1, 1, 1, 0, 255)))
    problem = failure(hub, tmp_path)
    assert problem.code == FULL
    assert "GiB more than are free" in str(problem)
    assert hub.ranges_of(SHARD) == []


def test_a_volume_that_fills_up_is_tried_again() -> None:
    """/dev/full answers every write with ENOSPC."""
    with hub_server() as hub:
        spec = spec_for(hub, revision=COMMIT)
        with pytest.raises(Interrupted) as raised:
            Hub(spec, None).read(manifest.File(SHARD, len(WEIGHTS), ""), Path("/dev/full"))
    assert "no space left" in str(raised.value)


@pytest.mark.parametrize("path", ["../x", "/etc/passwd", "a//b", "a\\b", "", "manifest.json"])
def test_a_name_that_leads_out_of_the_folder_is_refused(path: str) -> None:
    with pytest.raises(Problem) as raised:
        manifest.checked([manifest.File(path, 1, "")])
    assert raised.value.code == DATA


def test_a_claim_that_cannot_rename_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Mountpoint for S3."""

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSYS, "Function not implemented")

    monkeypatch.setattr(Path, "replace", refuse)
    part = tmp_path / "part"
    part.write_bytes(b"x")
    with pytest.raises(Problem, match=r"Give the bucket by store\.url"):
        Folder(tmp_path / "m").keep(manifest.File("a", 1, ""), part, "")


def test_the_program_says_one_line_and_ends_with_the_code(hub: HubServer, tmp_path: Path) -> None:
    hub.faults[REVISION_API] = [(404, {"X-Error-Code": "RevisionNotFound"}, b"")]
    task = tmp_path / "task.json"
    task.write_text(json.dumps({"output": str(tmp_path / "m"), "scratch": "", "download": spec_for(hub)}))
    ran = subprocess.run([sys.executable, FILES / "download.py", task], capture_output=True, text=True, check=False)
    assert ran.returncode == NO_INPUT
    assert len(ran.stderr.splitlines()) == 1
    assert "Traceback" not in ran.stderr


def test_a_pod_that_is_stopped_leaves_its_parts(hub: HubServer, tmp_path: Path) -> None:
    """While it waits to try again, SIGTERM and SIGKILL end it at once."""
    hub.breaks_at = [1000, 5000]
    spec = spec_for(hub, include=[SHARD])
    task = tmp_path / "task.json"
    task.write_text(json.dumps({"output": str(tmp_path / "m"), "scratch": "", "download": spec}))
    command = [sys.executable, FILES / "download.py", task]
    for sent, sign, status in ((1000, signal.SIGTERM, 143), (6000, signal.SIGKILL, -signal.SIGKILL)):
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert f"ended at byte {sent}" in process.stdout.readline()
            process.send_signal(sign)
            assert process.wait() == status
        (part,) = [each for each in (tmp_path / "m" / places.PARTS).iterdir() if each.name != "lock"]
        assert part.stat().st_size == sent
        assert not (tmp_path / "m/manifest.json").exists()
    assert subprocess.run(command, check=False).returncode == 0
    assert (tmp_path / "m" / SHARD).read_bytes() == WEIGHTS
    assert (tmp_path / "m/manifest.json").exists()


@pytest.mark.parametrize(
    ("number", "code", "says"),
    [
        (errno.ENOSPC, RETRY, "no space left"),
        (errno.EDQUOT, RETRY, "no space left"),
        (errno.EACCES, NO_ACCESS, "store.folder must be one that this user may write to"),
        (errno.EROFS, NO_ACCESS, "is not writable"),
        (errno.ESTALE, RETRY, "could not be written"),
    ],
)
def test_what_a_failed_write_means(number: int, code: int, says: str) -> None:
    found = writing_failed(OSError(number, os.strerror(number)), "/store/m")
    assert (found.code, says in str(found)) == (code, True)


def test_a_token_may_end_in_a_line_break_and_has_no_other(tmp_path: Path) -> None:
    assert _token({"HF_TOKEN": f"{WHO}\n"}) == WHO
    assert _token({}) is None
    with pytest.raises(Problem, match="more than a token"):
        _token({"HF_TOKEN": "a\nb"})


def test_interruptions_are_problems_that_another_pod_may_solve() -> None:
    assert Interrupted("x").code == RETRY
