"""`upgrade-toolkit` with a release that has a renamed key and another default."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.json_outputs import assert_has_format
from tests.other_release import copy_toolkit, install_other_release

pytestmark = pytest.mark.slow
RUNNING, OTHER = version("neuron-cluster-toolkit"), "9.1"
DEFAULT = ("neuron_cluster/config/machine.py", "default=125,", "default=130,")
IGNORED = ("neuron_cluster/starter/files/.gitignore", ".venv/", "another/\n.venv/")
TEMPLATE = ("environments/dev-inf2.yaml", "lifecycle: ephemeral", "life_cycle: ephemeral")
RENAMED = (
    "neuron_cluster/config/environment_config.py",
    "lifecycle: Lifecycle = Field(",
    'lifecycle: Lifecycle = Field(alias="life_cycle", ',
)


class Upgrades:
    """The command in a repository with two environments; the other release is in the cache folder of the user."""

    def __init__(self, folder: Path) -> None:
        self.repository = folder / "clusters"
        self.cache = folder / "cache"
        self.wheel = Path()
        options = ("--template", "dev-inf2", "--name", "first", "--account", "210987654321", "--region", "us-west-2")
        assert self.run("init", str(self.repository), *options).returncode == 0

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        environ = {**os.environ, "XDG_CACHE_HOME": str(self.cache), "COLUMNS": "100"}
        command = [sys.executable, "-m", "neuron_cluster.cli.main", *arguments]
        ran = subprocess.run(
            command, env=environ, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
        assert_has_format(arguments, ran.stdout)
        return ran

    def __call__(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self.run("upgrade-toolkit", "--project", str(self.repository), *arguments)

    def files(self) -> dict[str, bytes]:
        """Everything in the repository."""
        found = (path for path in sorted(self.repository.rglob("*")) if path.is_file() and ".cache" not in path.parts)
        return {str(path.relative_to(self.repository)): path.read_bytes() for path in found}


@pytest.fixture(scope="module")
def upgrades(tmp_path_factory: pytest.TempPathFactory) -> Upgrades:
    folder = tmp_path_factory.mktemp("upgrades")
    made = Upgrades(folder)
    made.wheel = install_other_release(made.cache, OTHER, (DEFAULT, RENAMED, TEMPLATE, IGNORED), folder / "sources")
    text = (made.repository / "environments" / "first.yaml").read_text()
    (made.repository / "node_modules").mkdir()  # assemblies are kept there
    second = text.replace("name: first\n", "name: second\n").replace("lifecycle: ephemeral\n", "")
    (made.repository / "environments" / "second.yaml").write_text(second)
    return made


@pytest.mark.exhaustive
def test_each_environment_has_its_findings_and_changes(upgrades: Upgrades) -> None:
    before = upgrades.files()
    ran = upgrades("--wheel", str(upgrades.wheel), "--format", "json")
    assert ran.returncode == 1, ran.stderr
    found = json.loads(ran.stdout)
    assert (found["before"], found["after"]) == (RUNNING, OTHER)
    first, second = found["environments"]
    assert [(each["id"], each["path"]) for each in first["appeared"]] == [("E0010", "lifecycle")]
    assert (first["is_blocked"], first["templates"]) == (True, None)
    assert (second["is_blocked"], second["changes_something"]) == (False, True)
    assert (second["appeared"], second["disappeared"], second["change_findings"]) == ([], [], [])
    changed = {each["stack"]: each["state"] for each in second["templates"]["stacks"]}
    assert [stack for stack, state in changed.items() if state != "unchanged"] == ["second-system"]
    assert [(each["group"], each["kind"]) for each in second["templates"]["nodes"]] == [("system", "rolled")]
    assert upgrades.files() == before


@pytest.mark.exhaustive
def test_the_page_names_what_changes_and_nothing_is_written_unconfirmed(upgrades: Upgrades) -> None:
    """The assemblies are those of the test before."""
    before = upgrades.files()
    ran = upgrades("--wheel", str(upgrades.wheel), "--resources", "--write")
    assert ran.returncode == 1
    text = " ".join(ran.stdout.split())
    assert f"Toolkit {RUNNING} -> {OTHER}" in text
    assert "second-system/" in text
    assert "125 -> 130" in text
    assert "E0010 lifecycle" in text
    assert "With release 9.1 deploys of first stop. Take it? Standard input is not a terminal" in ran.stderr
    assert upgrades.files() == before


@pytest.mark.exhaustive
def test_the_release_is_taken_with_the_files_that_were_not_edited(upgrades: Upgrades) -> None:
    own = (upgrades.repository / "README.md").read_text() + "Ask the platform team.\n"
    (upgrades.repository / "README.md").write_text(own)
    (upgrades.repository / ".gitlab-ci.yml").unlink()
    before = upgrades.files()
    ran = upgrades("--wheel", str(upgrades.wheel), "--write", "--yes", "--exit-code", "--format", "json")
    assert ran.returncode == 3, ran.stderr
    found = json.loads(ran.stdout)
    assert found["files_not_compared"] is None
    assert [each["is_blocked"] for each in found["environments"]] == [True, False]
    states = {each["file"]: each["state"] for each in found["files"]}
    assert states == {".gitignore": "unedited", "README.md": "edited"}
    assert found["written"] == [".gitignore", "requirements.txt", f"wheels/{upgrades.wheel.name}"]
    after = upgrades.files()
    assert [name for name in after if after[name] != before.get(name)] == found["written"]
    assert after["requirements.txt"].endswith(f"\n./wheels/{upgrades.wheel.name}\n".encode())
    assert b"another" in after[".gitignore"]


@pytest.mark.exhaustive
def test_pip_installs_a_wheel_with_its_dependencies(tmp_path: Path) -> None:
    """From the package index of this machine; the wheel has another version and another default."""
    upgrades = Upgrades(tmp_path)
    sources = tmp_path / "sources"
    version_line = f'version = "{RUNNING}"'
    copy_toolkit(sources, (DEFAULT, ("pyproject.toml", version_line, version_line.replace(RUNNING, OTHER))))
    built = ("wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(tmp_path), str(sources))
    subprocess.run([sys.executable, "-m", "pip", *built], check=True)
    wheel = str(tmp_path / f"neuron_cluster_toolkit-{OTHER}-py3-none-any.whl")
    ran = upgrades("--wheel", wheel, "--yes", "--exit-code", "--format", "json")
    assert ran.returncode == 3, ran.stderr
    (first,) = json.loads(ran.stdout)["environments"]
    assert [(each["group"], each["kind"]) for each in first["templates"]["nodes"]] == [("system", "rolled")]
    again = upgrades("--wheel", wheel, "--write")
    assert again.returncode == 0, again.stderr
    assert "pip installs" not in again.stderr
    assert upgrades.files()[f"wheels/{Path(wheel).name}"] == Path(wheel).read_bytes()
    assert "E1061" in upgrades.run("validate", "--project", str(upgrades.repository)).stdout
