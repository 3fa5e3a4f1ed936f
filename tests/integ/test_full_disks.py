"""Full and closed disks end a command with a sentence, leave nothing, and the next run works.

Each disk is a small tmpfs in a mount namespace of the command's own.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import uuid
from importlib.metadata import version
from pathlib import Path

import pytest

from neuron_cluster.deploy.disk import NEEDED_MIB

pytestmark = pytest.mark.slow
TIMEOUT_SECONDS = 300


def ran(mounts: str, *arguments: str, project: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs the command behind mounts that only it sees."""
    command = [sys.executable, "-m", "neuron_cluster.cli.main", *arguments, "--project", str(project)]
    return subprocess.run(
        ["/usr/bin/unshare", "--map-root-user", "--mount", "sh", "-c", f"{mounts} && exec {shlex.join(command)}"],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "CDK_VALIDATION": "false", **variables},
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )


def small_disk(folder: Path, mib: int) -> str:
    folder.mkdir(exist_ok=True)
    return f"mount -t tmpfs -o size={mib}m tmpfs {shlex.quote(str(folder))}"


def closed(folder: Path) -> str:
    quoted = shlex.quote(str(folder))
    return f"mount --bind {quoted} {quoted} && mount -o remount,ro,bind {quoted}"


def in_a_line(text: str) -> str:
    return " ".join(text.split())


def assert_sentence(done: subprocess.CompletedProcess[str], text: str) -> None:
    """The command failed with these words and a hint, and shows no Python and no JavaScript."""
    assert done.returncode == 1, done.stderr
    assert text in done.stderr
    assert "hint: " in done.stderr
    for raw in ("Traceback", "jsii", "    at "):
        assert raw not in done.stdout + done.stderr


def with_another_comment(project: Path) -> None:
    """No assembly of this file is cached."""
    with (project / "environments" / "workstation.yaml").open("a") as file:
        file.write(f"# {uuid.uuid4()}\n")


@pytest.mark.exhaustive
def test_a_full_folder_for_temporary_files_is_named(checkout_project: Path, tmp_path: Path) -> None:
    """The assembly is made there: what CDK writes of a full disk is 53 lines of Python and JavaScript.

    What CDK would cache in a home that does not exist goes the same way.
    """
    disk = tmp_path / "disk"
    with_another_comment(checkout_project)
    synth = ("synth", "workstation", "--output", str(tmp_path / "a"))
    full = ran(small_disk(disk, 8), *synth, project=checkout_project, HOME=os.devnull, TMPDIR=str(disk))
    assert_sentence(full, f"error: the disk is full: {disk} (")
    assert "; TMPDIR=DIR in front of the command names another folder for temporary files" in in_a_line(full.stderr)


@pytest.mark.exhaustive
@pytest.mark.hints("E9526")
def test_another_folder_for_temporary_files_does_it(checkout_project: Path, tmp_path: Path) -> None:
    """The hint of the test before; a home that does not exist is no obstacle."""
    disk, other = tmp_path / "disk", tmp_path / "other"
    other.mkdir()
    with_another_comment(checkout_project)
    synth = ("synth", "workstation", "--output", str(tmp_path / "a"))
    done = ran(small_disk(disk, 8), *synth, project=checkout_project, HOME=os.devnull, TMPDIR=str(other))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "a" / "manifest.json").is_file()


@pytest.mark.exhaustive
def test_a_full_folder_for_the_assembly_is_named_and_what_was_there_stays(
    checkout_project: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    done = ran(
        f"{small_disk(out, 20)} && touch {out}/mine", "synth", "dev-inf2", "--output", str(out / "a"),
        project=checkout_project,
    )  # fmt: skip
    assert_sentence(done, f"error: the disk is full: {out} (")
    assert f"hint: free {NEEDED_MIB} MiB there and run the command again" in in_a_line(done.stderr)
    assert list(out.iterdir()) == []


@pytest.mark.exhaustive
def test_a_full_folder_for_temporary_files_ends_a_deploy(checkout_project: Path, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    done = ran(small_disk(disk, 8), "deploy", "--local", "dev-inf2", project=checkout_project, TMPDIR=str(disk))
    assert_sentence(done, f"error: the disk is full: {disk} (")


@pytest.mark.parametrize(
    "arguments", [("synth", "dev-inf2"), pytest.param(("deploy", "--local", "dev-inf2"), marks=pytest.mark.exhaustive)]
)
def test_a_closed_checkout_is_named(arguments: tuple[str, ...], checkout_project: Path) -> None:
    done = ran(closed(checkout_project), *arguments, project=checkout_project)
    assert_sentence(done, f"nothing can be written in '{checkout_project}")


@pytest.mark.exhaustive
def test_a_disk_that_fills_up_during_a_deploy_is_named(checkout_project: Path, tmp_path: Path) -> None:
    """The local AWS, which keeps what is uploaded there, is asked for the files of the stacks."""
    disk = tmp_path / "disk"
    done = ran(small_disk(disk, 100), "deploy", "--local", "dev-inf2", project=checkout_project, TMPDIR=str(disk))
    assert_sentence(done, f"error: the disk is full: {disk} (")


def test_a_full_cache_folder_for_another_release_is_named(checkout_project: Path, tmp_path: Path) -> None:
    cache, pin = tmp_path / "cache", checkout_project / "requirements.txt"
    cache.mkdir()
    pin.write_text(f"neuron-cluster-toolkit=={version('neuron-cluster-toolkit')}\n")
    mount = f"mount -t tmpfs -o size=16k tmpfs {shlex.quote(str(cache))}"
    arguments = ("upgrade-toolkit", "--to", "999.0", "--no-index")
    try:
        done = ran(mount, *arguments, project=checkout_project, XDG_CACHE_HOME=str(cache))
    finally:
        pin.unlink()  # the other tests are of a checkout
    assert_sentence(done, f"the disk is full: {cache}")
