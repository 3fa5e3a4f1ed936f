"""Synthesis is a function of the environment file: no folder, clock, hash seed, socket or credential changes a byte."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENVIRONMENTS = sorted(path.stem for path in (ROOT / "environments").glob("*.yaml"))

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
    sys.argv = ["app.py"]
    runpy.run_path("app.py", run_name="__main__")
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
"""The app with closed sockets in the year 2031: in Python, and in the Node.js that runs CDK."""


def _contents(assembly: Path) -> dict[str, str]:
    """Every file that is deployed, by path, as a hash; without what CDK writes for people and itself."""
    excluded = ("tree.json", "validation-report.json")
    return {
        str(path.relative_to(assembly)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(assembly.rglob("*"))
        if path.is_file() and path.name not in excluded and not path.name.endswith(".metadata.json")
    }


def _run_app(project: Path, environment: str, outdir: Path, *command: str, **variables: str) -> None:
    from neuron_cluster.deploy.synthesis import cdk_context

    surroundings = {
        "PATH": os.environ["PATH"],
        "CDK_VALIDATION": "false",
        "CDK_OUTDIR": str(outdir),
        "CDK_CONTEXT_JSON": json.dumps(cdk_context(project, environment)),
        **variables,
    }
    app = subprocess.run(  # noqa: S603 - our own app
        [sys.executable, *command], cwd=project, env=surroundings, capture_output=True, text=True, check=False
    )
    assert app.returncode == 0, app.stderr


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_no_circumstance_changes_a_byte(environment: str, tmp_path: Path) -> None:
    """One run here; one elsewhere, from a copy, with another hash seed, zone, language and clock, and no network."""
    _run_app(ROOT, environment, tmp_path / "here", "app.py", PYTHONHASHSEED="1")
    copied = tmp_path / "a copy" / "of the project"
    for name in ("neuron_cluster", "stacks", "environments", "charts"):
        if (ROOT / name).exists():
            shutil.copytree(ROOT / name, copied / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("app.py", "cdk.json"):
        shutil.copy(ROOT / name, copied / name)
    (tmp_path / "changed.js").write_text(CHANGED_NODE)
    _run_app(
        copied,
        environment,
        tmp_path / "there",
        "-c",
        CHANGED_PYTHON,
        NODE_OPTIONS=f"--require {tmp_path / 'changed.js'}",
        PYTHONHASHSEED="2",
        PYTHONPATH=str(copied),
        TZ="Asia/Tokyo",
        LC_ALL="C",
        HOME=str(tmp_path),
        AWS_REGION="eu-west-1",
        CDK_DEFAULT_REGION="eu-west-1",
        CDK_DEFAULT_ACCOUNT="999999999999",
    )
    here = _contents(tmp_path / "here")
    assert here == _contents(tmp_path / "there")
    assert {"manifest.json", f"{environment}-network.template.json"} <= set(here)


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_the_cdk_command_and_the_toolkit_make_the_same_assembly(environment: str, tmp_path: Path) -> None:
    """``cdk synth -c environment=NAME`` and ``neuron-cluster synth NAME``, byte by byte."""
    from neuron_cluster.deploy.node import cdk_script, node_binary
    from neuron_cluster.deploy.synthesis import synthesize

    synthesize(ROOT, environment, tmp_path / "toolkit")
    command = [str(node_binary()), str(cdk_script(ROOT)), "synth", "--quiet", "-c", f"environment={environment}"]
    surroundings = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "CDK_VALIDATION": "false", "CI": "true"}
    cdk = subprocess.run(  # noqa: S603 - the pinned CDK command
        [*command, "--output", str(tmp_path / "cdk"), "--app", f"{sys.executable} app.py"],
        cwd=ROOT,
        env=surroundings,
        capture_output=True,
        text=True,
        check=False,
    )
    assert cdk.returncode == 0, cdk.stderr
    assert _contents(tmp_path / "cdk") == _contents(tmp_path / "toolkit")
