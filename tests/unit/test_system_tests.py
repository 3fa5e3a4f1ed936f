"""A skipped test of the marker ``system`` is one line of the summary, and fails a run that requires such tests."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import install_system_packages
import pytest
from install_system_packages import install, system_packages

ROOT = Path(__file__).parents[2]
SYSTEM = "import pytest\n@pytest.mark.system\n"
SKIPPED = SYSTEM + "@pytest.mark.skip(reason='needs it')\ndef test_one(): pass\n"


def run(folder: Path, module: str, *, setting: str = "") -> tuple[int, str]:
    (folder / "test_it.py").write_text(module)
    (folder / "pytest.ini").write_text("[pytest]\naddopts = -ra -p no:cacheprovider\nmarkers = system\n")
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "tools"))),
        "NEURON_CLUSTER_SYSTEM_TESTS": setting,
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    arguments = [sys.executable, "-m", "pytest", "-p", "tests.system_tests"]
    ran = subprocess.run(arguments, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return ran.returncode, ran.stdout


def test_a_skipped_one_is_one_line_that_names_the_packages(tmp_path: Path) -> None:
    code, out = run(tmp_path, SKIPPED)
    assert code == 0
    shown = [line for line in out.splitlines() if "marker system" in line or "SKIPPED" in line]
    packages = " ".join(system_packages())
    assert shown == [
        f"tests with the marker system that were skipped: 1; install {packages} (tools/system-packages.txt)"
    ]


@pytest.mark.parametrize(
    ("module", "code"),
    [(SKIPPED, 1), ("def test_other(): pass\n", 1), (SYSTEM + "def test_one(): pass\n", 0)],
    ids=["skipped", "none", "run"],
)
def test_where_they_are_required_a_run_without_them_fails(tmp_path: Path, module: str, code: int) -> None:
    assert run(tmp_path, module, setting="required")[0] == code


def test_what_is_installed_needs_no_apt(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in system_packages():
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert install_system_packages.absent_packages() == ()


def test_without_apt_the_packages_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert install_system_packages.absent_packages() == system_packages()
    with pytest.raises(SystemExit, match="zsh: apt-get is absent"):
        install(("zsh",))


def test_where_apt_fails_the_packages_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("apt-get", "sudo"):
        (tmp_path / name).write_text("#!/bin/sh\nexit 100\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(SystemExit, match="zsh fish: `apt-get update` failed"):
        install(("zsh", "fish"))
