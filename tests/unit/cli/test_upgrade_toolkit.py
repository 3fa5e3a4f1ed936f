"""`upgrade-toolkit` where no other release runs: what it refuses, and what pip failures leave."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.wheels import sha256, write_index, write_wheel

from .conftest import PROJECT, Command

RUNNING = version("neuron-cluster-toolkit")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "neuron-cluster-toolkit" / "releases"


@pytest.fixture
def repository(tmp_path: Path, cache: Path) -> Path:
    folder = tmp_path / "clusters"
    (folder / "environments").mkdir(parents=True)
    shutil.copy(PROJECT / "environments" / "dev-inf2.yaml", folder / "environments")
    (folder / "cdk.json").write_text("{}")
    (folder / "requirements.txt").write_text(f"neuron-cluster-toolkit=={RUNNING}\n")
    return folder


def refused(command: Command, repository: Path, *arguments: str) -> str:
    """Message and hint of a run that fails, on one line."""
    ran = command("upgrade-toolkit", "--project", str(repository), *arguments)
    assert (ran.status, ran.out) == (1, "")
    assert "Traceback" not in ran.err
    assert "hint: " in ran.err
    return " ".join(ran.err.split())


def test_the_release_that_the_repository_has_is_no_change(repository: Path, command: Command) -> None:
    ran = command("upgrade-toolkit", "--to", RUNNING, "--project", str(repository), "--exit-code")
    assert (ran.status, ran.err) == (0, "")
    assert f"requires {RUNNING}" in ran.out


def test_it_runs_in_a_repository_that_requires_the_toolkit(repository: Path, command: Command, tmp_path: Path) -> None:
    assert "E0016" in refused(command, tmp_path, "--to", "9.0")
    (repository / "requirements.txt").write_text("boto3\n# neuron-cluster-toolkit==1\n")
    assert f"{repository}/requirements.txt does not require" in refused(command, repository, "--to", "9.0")
    (repository / "requirements.txt").unlink()
    hint = refused(command, repository, "--to", "9.0").partition("hint: ")[2]
    wheel = f"./wheels/neuron_cluster_toolkit-{RUNNING}-py3-none-any.whl"
    assert hint == f"write a line such as {wheel} to requirements.txt"
    (repository / "environments" / "dev-inf2.yaml").unlink()
    assert "E0015" in refused(command, repository)


def test_an_older_release_is_refused_before_pip_starts(repository: Path, command: Command, cache: Path) -> None:
    assert f"release 0.0.1 is older than {RUNNING}" in refused(command, repository, "--to", "0.0.1")
    (repository / "requirements.txt").write_text("neuron-cluster-toolkit==500.0\n")
    assert f"release {RUNNING} is older than 500.0" in refused(command, repository, "--to", RUNNING)
    assert not cache.exists()


@pytest.mark.parametrize(
    "arguments", [("--to", "new"), ("--to", "1.0", "--wheel", "x.whl"), ("--to", ""), ("--to",), ("first",)]
)
def test_a_wrong_command_line_is_a_usage_error(arguments: tuple[str, ...], command: Command) -> None:
    assert command("upgrade-toolkit", *arguments).status == 2


def test_a_file_that_is_no_wheel_of_the_toolkit_is_refused(repository: Path, command: Command, tmp_path: Path) -> None:
    for name, text in {
        "other-1.0-py3-none-any.whl": "is a wheel of other",
        "toolkit.zip": "is not the name of a wheel",
    }.items():
        (tmp_path / name).write_bytes(b"PK")
        assert text in refused(command, repository, "--wheel", str(tmp_path / name), "--no-index")
    gone = str(tmp_path / "neuron_cluster_toolkit-8.0-py3-none-any.whl")
    assert f"--wheel {gone} cannot be read: No such file" in refused(command, repository, "--wheel", gone)


WRITES_ITS_ENVIRONMENT = "import os, sys; print(sorted(os.environ), file=open({file!r}, 'a')); sys.exit(1)"
CREDENTIALS = (
    *("AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE", "AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_TOKEN"),
    *("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "GITHUB_TOKEN", "GH_TOKEN", "CI_JOB_TOKEN", "HF_TOKEN"),
    *("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "PIP_INDEX_URL"),
)


def test_a_release_is_shown_and_confirmed_before_it_runs_and_sees_no_credentials(
    repository: Path, command: Command, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = tmp_path / "ran"
    wheel = write_wheel(tmp_path, "99.0", WRITES_ITS_ENVIRONMENT.format(file=str(ran)))
    given = dict.fromkeys(CREDENTIALS, "https://user:secret@example.com")
    for name, value in {**given, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path)}.items():
        monkeypatch.setenv(name, value)
    text = refused(command, repository)
    assert f"neuron_cluster_toolkit-99.0-py3-none-any.whl SHA-256 {sha256(wheel)}" in text
    assert "Standard input is not a terminal" in text
    assert (list(cache.iterdir()), ran.exists()) == ([], False)
    command("upgrade-toolkit", "--project", str(repository), "--yes")
    assert [path.name for path in cache.iterdir()] == [f"99.0-{sha256(wheel)}"]
    seen = ran.read_text()
    assert "HOME" in seen
    assert [name for name in CREDENTIALS if name in seen] == []


@pytest.mark.parametrize("is_pinned", [False, True])
def test_yes_runs_a_wheel_of_an_index_only_where_its_digest_is_pinned(
    repository: Path, command: Command, cache: Path, tmp_path: Path, *, is_pinned: bool
) -> None:
    """An index of an organization may pass through what anybody uploads to PyPI."""
    wheel = write_wheel(tmp_path, "99.0")
    if is_pinned:
        line = f"neuron-cluster-toolkit==99.0 --hash=sha256:{sha256(wheel)}\n"
        (repository / "requirements.txt").write_text(line)
    url = write_index(tmp_path, wheel)
    text = refused(command, repository, "--index-url", url, "--to", "99.1" if is_pinned else "99.0", "--yes")
    if is_pinned:
        assert "pip did not install neuron-cluster-toolkit==99.1" in text
        assert [path.name for path in cache.iterdir()] == [f"99.0-{sha256(wheel)}"]
    else:
        assert f"SHA-256 {sha256(wheel)}" in text
        assert "--yes does not run neuron_cluster_toolkit-99.0-py3-none-any.whl of a package index" in text
        assert list(cache.iterdir()) == []


def test_another_wheel_of_an_installed_version_is_another_release(
    repository: Path, command: Command, cache: Path, tmp_path: Path
) -> None:
    (cache / "99.0" / "bin").mkdir(parents=True)  # of an earlier toolkit, from whatever index
    (cache / "99.0" / "bin" / "python").write_text("#!/bin/sh\ntouch poisoned")
    write_wheel(tmp_path, "99.0")
    text = refused(command, repository, "--to", "99.0", "--find-links", str(tmp_path))
    assert "Install release 99.0 and run its code?" in text


@pytest.mark.parametrize(
    "options",
    [
        pytest.param((), marks=pytest.mark.exhaustive),
        ("--to", "99.0"),
        ("--index-url", "https://pypi.org/simple"),
        pytest.param(("--no-index",), marks=pytest.mark.exhaustive),
    ],
)
def test_without_a_place_of_the_user_nothing_is_asked_of_a_public_index(
    options: tuple[str, ...], repository: Path, command: Command, cache: Path
) -> None:
    text = refused(command, repository, "--yes", *options)
    assert "name a place that has it: --wheel FILE, --find-links DIR" in text
    assert list(cache.iterdir()) == []


def test_the_digest_that_the_repository_pins_is_compared(
    repository: Path, command: Command, cache: Path, tmp_path: Path
) -> None:
    wheel = write_wheel(tmp_path, "500.0")
    (repository / "requirements.txt").write_text(f"neuron-cluster-toolkit==500.0 --hash=sha256:{'0' * 64}\n")
    text = refused(command, repository, "--to", "501.0", "--find-links", str(tmp_path), "--yes")
    assert f"has the SHA-256 {sha256(wheel)}, which is not the one that the repository pins" in text
    assert list(cache.iterdir()) == []


@pytest.mark.exhaustive  # pip fails in another way than for the release below
def test_a_wheel_that_pip_does_not_install_is_refused(repository: Path, command: Command, tmp_path: Path) -> None:
    wheel = tmp_path / "neuron_cluster_toolkit-9.0-py3-none-any.whl"
    wheel.write_bytes(b"PK")
    assert "pip did not install" in refused(command, repository, "--wheel", str(wheel), "--no-index", "--yes")


def test_a_release_that_no_index_has_leaves_nothing(
    repository: Path, command: Command, cache: Path, tmp_path: Path
) -> None:
    text = refused(command, repository, "--to", "9.0", "--no-index", "--find-links", str(tmp_path))
    assert "No matching distribution found for neuron-cluster-toolkit==9.0" in text
    assert "is neuron-cluster-toolkit==9.0 a release that the index has?" in text
    assert list(cache.iterdir()) == []


@pytest.mark.exhaustive  # pip fails in another way; what is done then is tested above
def test_an_index_that_does_not_answer_is_named(repository: Path, command: Command, cache: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))  # no program listens
        url = f"http://127.0.0.1:{closed.getsockname()[1]}/simple"
        text = refused(command, repository, "--to", "9.0", "--index-url", url)
    assert "pip did not install neuron-cluster-toolkit==9.0; nothing was changed" in text
    assert list(cache.iterdir()) == []


def test_a_cache_that_cannot_be_written_is_named(
    repository: Path, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    text = refused(command, repository, "--to", "9.0", "--find-links", str(tmp_path))
    assert "Not a directory" in text
    assert "name another folder for caches in XDG_CACHE_HOME" in text


def test_ctrl_c_removes_what_is_half_made(repository: Path, cache: Path) -> None:
    """The index accepts the connection of pip and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as index:
        url = f"http://127.0.0.1:{index.getsockname()[1]}/simple"
        arguments = ("upgrade-toolkit", "--to", "9.0", "--index-url", url, "--project", str(repository))
        with subprocess.Popen(
            [sys.executable, "-m", "neuron_cluster.cli.main", *arguments], stderr=subprocess.PIPE, text=True
        ) as running:
            connection, _ = index.accept()
            assert [path.name[:5] for path in cache.iterdir()] == [".new-"]
            running.send_signal(signal.SIGINT)
            _, written = running.communicate()
            connection.close()
    assert running.returncode == 130
    assert written.splitlines()[-1] == "interrupted"
    assert list(cache.iterdir()) == []
