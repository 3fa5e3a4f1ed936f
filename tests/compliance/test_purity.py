"""Synthesis is a function of the environment file: no folder, clock, hash seed, socket or credential changes a byte."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.deploy.assembly_key import PACKAGES, SOURCES

ROOT = Path(__file__).parents[2]
ENVIRONMENTS = sorted(path.stem for path in (ROOT / "environments").glob("*.yaml"))
FEW = ["train-trn1", "workstation"]
"""One with EKS and one without; the exhaustive tests take all."""

SYNTHESIZE_ALL = Path(__file__).with_name("synthesize_all.py")

pytestmark = pytest.mark.slow

CHANGED_PYTHON = textwrap.dedent("""
    import datetime, runpy, socket, sys, time

    def refuse(*args, **kwargs):
        raise OSError("synthesis may not open a connection")

    class Later(datetime.datetime):
        @classmethod
        def now(cls, tz=None):
            return cls(2031, 7, 1, tzinfo=tz)

    socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = refuse
    time.time = lambda: 1940630400.0
    datetime.datetime = Later
    sys.argv = sys.argv[1:]
    runpy.run_path(sys.argv[0], run_name="__main__")
""")
CHANGED_NODE = textwrap.dedent("""
    const refuse = () => { throw new Error("synthesis may not open a connection"); };
    require("net").Socket.prototype.connect = refuse;
    require("dns").lookup = refuse;
    const Now = Date, later = 1940630400000;
    globalThis.Date = class extends Now {
        constructor(...given) { given.length ? super(...given) : super(later); }
        static now() { return later; }
    };
""")
"""A script, given as the first argument, with closed sockets in the year 2031: in Python, and in the Node.js of CDK."""


UNPACKED = {"JSII_RUNTIME_PACKAGE_CACHE_ROOT": str(Path.home() / ".cache/aws/jsii/package-cache")}
"""Where jsii unpacks CDK by default: in another home it would do so again, which takes longer than a synthesis."""


def _contents(assembly: Path) -> dict[str, str]:
    """Every file that is deployed, by path, as a hash; without what CDK writes for people and itself."""
    excluded = ("tree.json", "validation-report.json")
    return {
        str(path.relative_to(assembly)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(assembly.rglob("*"))
        if path.is_file() and path.name not in excluded and not path.name.endswith(".metadata.json")
    }


def _run(command: list[str], folder: Path, **variables: str) -> None:
    """Runs a command that must succeed; it sees these variables and PATH."""
    surroundings = {"PATH": os.environ["PATH"], "CDK_VALIDATION": "false", **UNPACKED, **variables}
    ran = subprocess.run(command, cwd=folder, env=surroundings, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., None]:
    """``elsewhere(script, *arguments, **variables)``: runs it in a copy of the project, in other circumstances.

    Another hash seed, zone, language, home, account and clock, and no network. Nothing else of the project is there
    than what decides the digest under which an assembly is kept, and what Python compiled of it.
    """
    from neuron_cluster.deploy.node import node_binary

    home = tmp_path_factory.mktemp("home")
    copied = home / "a copy" / "of the project"
    for name in (*(package.name for package in PACKAGES), "environments", *SOURCES):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copied / name)
        else:
            shutil.copy(ROOT / name, copied / name)
    (home / "changed.js").write_text(CHANGED_NODE)

    def run(*script: str, **variables: str) -> None:
        _run(
            [sys.executable, "-c", CHANGED_PYTHON, *script],
            copied,
            JSII_NODE=str(node_binary()),
            NODE_OPTIONS=f"--require {home / 'changed.js'}",
            PYTHONHASHSEED="2",
            PYTHONPATH=str(copied),
            TZ="Asia/Tokyo",
            LC_ALL="C",
            HOME=str(home),
            AWS_REGION="eu-west-1",
            CDK_DEFAULT_REGION="eu-west-1",
            CDK_DEFAULT_ACCOUNT="999999999999",
            **variables,
        )

    return run


@pytest.fixture(
    scope="module",
    params=[pytest.param(FEW, id="few"), pytest.param(ENVIRONMENTS, id="all", marks=pytest.mark.exhaustive)],
)
def names(request: pytest.FixtureRequest) -> list[str]:
    """Shipped environments."""
    return list(request.param)


@pytest.fixture(scope="module")
def there(elsewhere: Callable[..., None], names: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An assembly of each, made elsewhere; a deprecated call would have failed.

    The exhaustive tests turn CDK's validation on, which takes as long as the synthesis and changes no file.
    """
    folder = tmp_path_factory.mktemp("there")
    validation = "false" if names == FEW else "true"
    elsewhere(str(SYNTHESIZE_ALL), str(folder), *names, CDK_VALIDATION=validation, JSII_DEPRECATED="fail")
    return folder


def test_no_circumstance_changes_a_byte(
    app_of: Callable[..., Any], names: list[str], there: Path, tmp_path: Path
) -> None:
    """One run here, one elsewhere."""
    for environment in names:
        app_of(environment, outdir=tmp_path / environment).synth()
        here = _contents(tmp_path / environment)
        assert here == _contents(there / environment), environment
        assert {"manifest.json", f"{environment}-network.template.json"} <= set(here)


def test_cdk_notes_nothing_in_the_shipped_environments(there: Path) -> None:
    """No annotation in any stack's metadata."""
    files = sorted(there.glob("*/*.metadata.json"))
    noted = [
        (file.name, entry["type"], entry["data"])
        for file in files
        for entries in json.loads(file.read_text()).values()
        for entry in entries
        if entry["type"] in ("aws:cdk:warning", "aws:cdk:error", "aws:cdk:info")
    ]
    assert files
    assert noted == []


@pytest.mark.exhaustive
def test_every_way_to_synthesize_makes_the_same_assembly(names: list[str], there: Path, tmp_path: Path) -> None:
    """The app elsewhere, ``neuron-cluster synth NAME`` and ``cdk synth -c environment=NAME``.

    They differ in how the app is started, so one environment stands for all: the smallest, in the exhaustive tests the
    largest. The test above compares the first way with the tests' own.
    """
    from neuron_cluster.deploy.node import cdk_script, node_binary
    from neuron_cluster.deploy.synthesis import synthesize

    environment = "workstation" if names == FEW else "train-trn1"
    synthesize(ROOT, environment, tmp_path / "toolkit")
    cdk = [str(node_binary()), str(cdk_script(ROOT)), "synth", "--quiet", "-c", f"environment={environment}"]
    app = ["--output", str(tmp_path / "cdk"), "--app", f"{sys.executable} app.py"]
    _run([*cdk, *app], ROOT, HOME=str(tmp_path), CI="true", PYTHONHASHSEED="1")
    made = [_contents(folder) for folder in (there / environment, tmp_path / "toolkit", tmp_path / "cdk")]
    assert [contents == made[0] for contents in made] == [True] * len(made)
