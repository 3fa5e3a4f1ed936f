"""The wheel in an environment of its own, without a checkout: a project is checked, planned, deployed and destroyed."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.deploy.node import MODULES, cdk_version

pytestmark = pytest.mark.slow

CHECKOUT = Path(__file__).parents[2]
PACKAGES = ("neuron_cluster", "local_aws", "local_kubernetes", "stacks")
BUILT_FROM = (*PACKAGES, "charts", "functions", "docs", "environments")
NETWORK = ("HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE")
"""Variables with which this machine reaches a registry, in addition to those of pip and npm."""
ACCOUNT, REGION = "210987654321", "us-west-2"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy, since a build leaves folders next to the sources."""
    folder = tmp_path_factory.mktemp("wheel")
    copy = folder / "sources"
    copy.mkdir()
    for name in BUILT_FROM:
        shutil.copytree(CHECKOUT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for file in CHECKOUT.iterdir():
        if file.is_file():
            shutil.copy(file, copy)
    pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(copy))
    (built,) = folder.glob("*.whl")
    return built


def pip(*arguments: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "pip", "--quiet", *arguments], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


class Installed:
    """The commands of an installed wheel, run in a folder by a user who has nothing else."""

    def __init__(self, environment: Path, home: Path) -> None:
        self.programs = environment / "bin"
        self.home = home
        self.variables = {
            "HOME": str(home),
            "PATH": os.pathsep.join([str(self.programs), "/usr/bin", "/bin"]),
            "LANG": "C.UTF-8",
            "COLUMNS": "100",
            "CDK_VALIDATION": "false",
            "NPM_CONFIG_USERCONFIG": str(Path.home() / ".npmrc"),
            **{
                name: value
                for name, value in os.environ.items()
                if name.upper().startswith(("PIP_", "NPM_CONFIG_")) or name.upper() in NETWORK
            },
        }

    def command(self, *arguments: str, folder: Path, extra: Mapping[str, str] | None = None) -> str:
        """Runs a program; what it printed, with its standard error."""
        ran = subprocess.run(
            arguments,
            cwd=folder,
            env={**self.variables, **(extra or {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stdout
        return ran.stdout

    def __call__(self, *arguments: str, folder: Path) -> str:
        return self.command(str(self.programs / "neuron-cluster"), *arguments, folder=folder)

    def document(self, *arguments: str, folder: Path) -> Any:
        """The JSON document of a verb."""
        ran = subprocess.run(
            [self.programs / "neuron-cluster", *arguments, "--format", "json"],
            cwd=folder, env=self.variables, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return json.loads(ran.stdout)


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The wheel in a new virtual environment; its dependencies are those of this one, which takes seconds."""
    root = tmp_path_factory.mktemp("installed")
    environment = root / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    pip("--python", str(environment), "install", "--no-index", "--no-deps", str(wheel))
    (packages,) = environment.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    (root / "home").mkdir()
    return Installed(environment, root / "home")


@pytest.fixture(scope="module")
def project(installed: Installed, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A user's repository in an empty folder."""
    root = tmp_path_factory.mktemp("repository")
    options = ("--template", "dev-inf2", "--name", "first", "--account", ACCOUNT, "--region", REGION)
    installed("init", ".", *options, folder=root)
    return root


@pytest.fixture(scope="module")
def set_up(installed: Installed, project: Path) -> Any:
    """The CDK command as copied from another machine, which `setup` then completes; npm starts in the test below."""
    folder = installed.home / ".local" / "share" / "neuron-cluster-toolkit" / f"cdk-{cdk_version()}"
    shutil.copytree(
        CHECKOUT / MODULES / "aws-cdk", folder / MODULES / "aws-cdk", ignore=shutil.ignore_patterns(".cache")
    )
    return installed.document("setup", folder=project)


@contextlib.contextmanager
def local_aws(installed: Installed, project: Path) -> Iterator[None]:
    """`neuron-cluster local` in another terminal."""
    with subprocess.Popen(
        [installed.programs / "neuron-cluster", "local", "--port", "0"],
        cwd=project, env={**installed.variables, "PYTHONUNBUFFERED": "1"}, stdout=subprocess.PIPE, text=True,
    ) as running:  # fmt: skip
        try:
            assert running.stdout is not None
            assert running.stdout.readline()
            yield
        finally:
            running.terminate()


def test_every_file_of_the_packages_is_in_the_wheel(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        found = {name for name in archive.namelist() if ".dist-info/" not in name}
    folders = {**{name: name for name in PACKAGES}, "charts": "neuron_cluster/bundle/charts"}
    folders |= {"functions": "neuron_cluster/bundle/functions", "docs": "neuron_cluster/bundle/docs"}
    expected = {
        f"{target}/{path.relative_to(CHECKOUT / name)}"
        for name, target in folders.items()
        for path in (CHECKOUT / name).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path != CHECKOUT / "local_aws" / "README.md"
        if name != "docs" or path.suffix == ".md"
    }
    assert expected - found == set()
    beside = {name.removeprefix("neuron_cluster/bundle/") for name in found - expected}
    names = {f"environments/{path.name}" for path in (CHECKOUT / "environments").iterdir() if path.is_file()}
    names |= {f"environments/bases/{path.name}" for path in (CHECKOUT / "environments" / "bases").iterdir()}
    example = "environments/locks/existing-vpc.yaml"
    assert beside == {*names, example, "cdk.json", "package.json", "package-lock.json"}


@pytest.mark.exhaustive
def test_init_copies_the_wheel_that_requirements_txt_names(wheel: Path, project: Path) -> None:
    assert (project / "wheels" / wheel.name).read_bytes() == wheel.read_bytes()
    assert f"./wheels/{wheel.name}" in (project / "requirements.txt").read_text().splitlines()
    target = ("download", "--no-index", "--no-deps", "--dest", str(project.parent / "got"))
    subprocess.run([sys.executable, "-m", "pip", *target, "-r", "requirements.txt"], check=True, cwd=project)


@pytest.mark.exhaustive
def test_it_checks_plans_and_renders(installed: Installed, project: Path) -> None:
    assert installed.document("validate", "first", folder=project)["findings"]
    assert installed.document("plan", "first", folder=project)["plan"]["name"] == "first"
    charts = {each["chart"] for each in installed.document("workload", "list", "first", folder=project)}
    assert "neuron-training" in charts


@pytest.mark.exhaustive
def test_a_page_that_a_message_names_is_printed_by_the_command_of_the_message(
    installed: Installed, project: Path
) -> None:
    ran = subprocess.run(
        [installed.programs / "neuron-cluster", "onboard", "first", "--team", "none", "--output", "pack"],
        cwd=project, env=installed.variables, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "(`neuron-cluster explain docs/teams.md`)" in ran.stderr
    assert installed("explain", "docs/teams.md", folder=project) == (CHECKOUT / "docs" / "teams.md").read_text()
    values = "charts/neuron-training/values.yaml"
    assert installed("explain", values, folder=project) == (CHECKOUT / values).read_text()


@pytest.mark.exhaustive
def test_setup_completes_what_is_there(installed: Installed, set_up: Any) -> None:
    assert set_up["is_new"] is False
    assert (Path(set_up["programs"]) / "node").exists()
    assert Path(set_up["folder"]).is_relative_to(installed.home)


@pytest.mark.exhaustive
def test_it_deploys_and_destroys_on_the_local_aws(installed: Installed, project: Path, set_up: Any) -> None:
    with local_aws(installed, project):
        deployed = installed.document("deploy", "--local", "first", folder=project)
        assert {each["status"] for each in deployed["stacks"]} == {"CREATE_COMPLETE"}
        installed("destroy", "--local", "first", "--yes", folder=project)
        assert installed.document("list", "--local", folder=project)["deployed"] == []


@pytest.mark.exhaustive
def test_plain_cdk_writes_the_templates_of_the_toolkit(
    installed: Installed, project: Path, set_up: Any, tmp_path: Path
) -> None:
    installed("synth", "first", "--output", str(tmp_path / "ours"), folder=project)
    path = os.pathsep.join([set_up["programs"], installed.variables["PATH"]])
    options = ("-c", "environment=first", "--quiet", "--output", str(tmp_path / "plain"))
    installed.command("cdk", "synth", *options, folder=project, extra={"PATH": path})
    templates = [
        {file.name: json.loads(file.read_text()) for file in (tmp_path / name).glob("*.template.json")}
        for name in ("ours", "plain")
    ]
    assert templates[0] == templates[1]
    assert templates[0]


@pytest.mark.exhaustive
def test_pip_and_npm_install_all_of_it_from_their_registries(wheel: Path, project: Path, tmp_path: Path) -> None:
    """As `pipx install`: every dependency, at the version that `pyproject.toml` names."""
    environment = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", environment], check=True)
    pip("--python", str(environment), "install", str(wheel))
    (tmp_path / "home").mkdir()
    complete = Installed(environment, tmp_path / "home")
    assert complete.document("setup", folder=project)["is_new"] is True
    assert complete.document("setup", folder=project)["is_new"] is False
    deployed = complete.document("deploy", "--local", "first", folder=project)
    assert {each["status"] for each in deployed["stacks"]} == {"CREATE_COMPLETE"}


@pytest.mark.exhaustive
def test_a_cdk_app_of_others_needs_the_wheel_alone(installed: Installed, set_up: Any, tmp_path: Path) -> None:
    folder = shutil.copytree(CHECKOUT / "docs" / "examples" / "cdk-app", tmp_path / "app")
    path = os.pathsep.join([str(installed.programs), set_up["programs"], "/usr/bin", "/bin"])
    installed.command("cdk", "synth", "--quiet", folder=folder, extra={"PATH": path})
    (template,) = (json.loads(file.read_text()) for file in folder.glob("cdk.out/*.template.json"))
    assert "AWS::EKS::Nodegroup" in {each["Type"] for each in template["Resources"].values()}
