"""Fixtures for more than one folder of tests: a warm CDK, and the templates of an environment with edits."""

from __future__ import annotations

import argparse
import contextlib
import copy
import functools
import gc
import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from merged_text import merged_text

from neuron_cluster.atomic_write import write_atomically
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.kube.helm import Helm
from neuron_cluster.startup import collect_rarely

from . import file_queue, kept_renders
from .client_methods import keep_methods_of_clients, keep_names_of_events, share_handlers_of_events
from .connectionless_calls import answer_without_connections
from .existing_vpc import write_lock_of
from .recorded_lint import Lint, recorded_lint
from .system_tests import pytest_configure  # noqa: F401 - a hook

CATALOG = load_catalog()

ROOT = Path(__file__).parents[1]
WARM = Path(__file__).parent / "warm"
FOLDERS = (ROOT / "environments", ROOT / "tests" / "fixtures" / "environments")
"""Shipped environments, and those that have what no shipped one has."""

collect_rarely()
# Tests write and read hundreds of files: the same loader and dumper, in C.
yaml.safe_load = functools.partial(yaml.load, Loader=yaml.CSafeLoader)
yaml.safe_load_all = functools.partial(yaml.load_all, Loader=yaml.CSafeLoader)
yaml.safe_dump = functools.partial(yaml.dump, Dumper=yaml.CSafeDumper)
yaml.safe_dump_all = functools.partial(yaml.dump_all, Dumper=yaml.CSafeDumper)
# argparse searches the disk for a translation of each text: a third of the time of a parser.
vars(argparse)["_"] = functools.cache(vars(argparse)["_"])
keep_methods_of_clients()
keep_names_of_events()
share_handlers_of_events()
answer_without_connections()
os.environ["XDG_DATA_HOME"] = "/nonexistent"  # what `neuron-cluster setup` has installed for the user is not tested
os.environ["CDK_VALIDATION"] = "false"  # 1-4 s and 400 MiB each time; one test for each shipped environment turns it on

WITH_PROGRAMS = [
    ROOT / "tests" / name for name in ("docs", "fuzz", "unit/charts", "unit/deploy", "unit/handover", "unit/tools")
]
"""Folders whose tests start shells, helm, kubectl and the like."""

Templates = dict[str, dict[str, Any]]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever asks for a running local AWS or for CDK is slow, and so is what starts other programs."""
    for item in items:
        asks = isinstance(item, pytest.Function) and not {"local_aws", "cdk"}.isdisjoint(item.fixturenames)
        if asks or any(folder in item.path.parents for folder in WITH_PROGRAMS):
            item.add_marker(pytest.mark.slow)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure() -> None:
    """pytest has just looked through all that the run made for what fails when it goes; it would look once more."""
    gc.freeze()


@pytest.fixture(scope="session")
def cdk() -> Any:
    """The ``aws_cdk`` module, running on the Node.js that came with the Python install."""
    from neuron_cluster.deploy.node import node_binary

    os.environ["JSII_NODE"] = str(node_binary())
    import aws_cdk

    return aws_cdk


@pytest.fixture(scope="session")
def warm_modules(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """``node_modules`` whose CDK command is run by a process that has it loaded: loading takes longer than a deploy.

    The command is the installed one, and so is its cache; one run follows another.
    """
    from neuron_cluster.deploy.node import cdk_script, compile_cache, node_binary

    folder = tmp_path_factory.mktemp("warm") / "node_modules"
    installed = cdk_script(ROOT).parents[1]
    command = folder / "aws-cdk" / "bin" / "cdk"
    command.parent.mkdir(parents=True)
    shutil.copy(WARM / "cdk_client.js", command)
    (folder / "aws-cdk" / "lib").symlink_to(installed / "lib")
    (folder / ".cache").symlink_to(installed.parent / ".cache")
    with contextlib.ExitStack() as stack:
        process = stack.enter_context(
            subprocess.Popen(
                [node_binary(), WARM / "cdk.js", installed, command.with_name("socket")],
                env=os.environ | {"NODE_COMPILE_CACHE": str(compile_cache(ROOT))},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
        )
        stack.callback(process.terminate)
        assert process.stdout is not None
        assert process.stdout.readline() == b"listening\n"
        yield folder


@pytest.fixture(scope="session")
def warm_project(warm_modules: Path) -> Path:
    """A project that has nothing but the CDK command."""
    return warm_modules.parent


class _StacksOnDemand(dict[str, Any]):
    """Stacks by key, each built when somebody asks for it."""

    def __init__(self, scope: Any, plan: Any) -> None:
        from neuron_cluster.plan.stack_table import planned_stacks

        super().__init__()
        self._scope, self._plan = scope, plan
        self._planned = {spec.stack_key: spec for spec in planned_stacks(plan)}

    def get(self, stack_key: str, default: Any = None) -> Any:
        from stacks.build_stacks import _build

        if stack_key in self._planned and stack_key not in self:
            self[stack_key] = _build(self._planned[stack_key], self._scope, self._plan, self, CATALOG)
        return super().get(stack_key, default)


@pytest.fixture(scope="session")
def plan_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Any]:
    """``plan_of("train-trn1", {"network.nat": "none"})``: the plan of an environment of ``FOLDERS`` after edits.

    An edit names a key path of the file and its new value; None removes the key. An existing VPC is in its lock.
    """
    from neuron_cluster.pipeline import check_environment

    def plan(environment: str, edits: Mapping[str, Any] | None = None) -> Any:
        shipped = next(path for each in FOLDERS if (path := each / f"{environment}.yaml").is_file())
        if not edits:
            return check_environment(shipped).require_plan()
        edited = tmp_path_factory.mktemp("edited") / shipped.name
        tree = _edited(yaml.safe_load(merged_text(shipped)), edits)
        edited.write_text(yaml.safe_dump(tree))
        if "existing" in tree["network"]:
            write_lock_of(edited, tree)
        checked = check_environment(edited)
        assert checked.plan is not None, [f"{f.id} {f.message}" for f in checked.findings if f.id.startswith("E")]
        return checked.plan

    return plan


@pytest.fixture(scope="session")
def app_of(cdk: Any, plan_of: Callable[..., Any]) -> Callable[..., Any]:
    """``app_of("train-trn1", edits, outdir=…)``: the CDK app of an environment after edits, not yet synthesized.

    Who reads templates alone leaves the assets where they are (``assets_copied=False``): they are 60 MB with a cluster.
    ``only`` are keys: their stacks and those that they ask for are built, which is a fraction of a synthesis.
    """
    from neuron_cluster.deploy.synthesis import cdk_context
    from stacks import build_stacks as module

    def build(
        environment: str,
        edits: Mapping[str, Any] | None = None,
        *,
        outdir: Path,
        assets_copied: bool = True,
        only: Sequence[str] = (),
    ) -> Any:
        context = cdk_context(ROOT, environment) | {"aws:cdk:disable-asset-staging": not assets_copied}
        app = cdk.App(outdir=str(outdir), context=context, analytics_reporting=False)
        plan = plan_of(environment, edits)
        if not only:
            module.build_stacks(app, plan, CATALOG)
            return app
        module.tag_resources(app, plan)
        stacks = _StacksOnDemand(app, plan)
        for stack_key in only:
            stacks.get(stack_key)
        return app

    return build


@pytest.fixture(scope="session")
def folder_of_run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that the processes of a run share; it goes with the run."""
    return file_queue.folder_of_run(request.config) or tmp_path_factory.getbasetemp()


@pytest.fixture(scope="session")
def synthesized(
    app_of: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory, folder_of_run: Path
) -> Callable[..., dict[str, Any]]:
    """``synthesized("train-trn1", edits)``: templates of an environment after edits, and rules that they acknowledge.

    Made once in a run: its processes share them, since synthesis is pure. ``only``: as in ``app_of``.
    """
    shared = folder_of_run / "templates"

    @functools.cache
    def made(environment: str, edits: str, only: tuple[str, ...]) -> dict[str, Any]:
        name = "-".join([environment, *only, hashlib.sha256(edits.encode()).hexdigest()])
        place = shared / f"{name}.json"
        if not place.is_file():
            outdir = tmp_path_factory.mktemp(environment)
            app = app_of(environment, json.loads(edits), outdir=outdir, assets_copied=False, only=only)
            stacks = app.synth().stacks
            templates = {stack.stack_name.removeprefix(f"{environment}-"): stack.template for stack in stacks}
            shared.mkdir(exist_ok=True)
            written = {"templates": templates, "acknowledged": _acknowledged(outdir)}
            write_atomically(place, json.dumps(written).encode())
        found: dict[str, Any] = json.loads(place.read_text())
        return found

    return lambda environment, edits=None, only=(): made(environment, json.dumps(edits or {}, sort_keys=True), only)


def _acknowledged(assembly: Path) -> list[tuple[str, str, str]]:
    """Construct path, rule and reason, from the metadata of the stacks."""
    return sorted(
        (path, rule, reason)
        for file in assembly.glob("*.metadata.json")
        for path, entries in json.loads(file.read_text()).items()
        for entry in entries
        if entry["type"] == "aws:cdk:acknowledged-rules"
        for rule, reason in entry["data"].items()
    )


@pytest.fixture(scope="session")
def templates_of(synthesized: Callable[..., dict[str, Any]]) -> Callable[..., Templates]:
    """``templates_of("train-trn1", edits)``: the templates of an environment after edits, by key: ``network``, …

    With keys of stacks after the edits, those and what they ask for: as in ``app_of``.
    """

    def templates_after(environment: str, edits: Mapping[str, Any] | None = None, *only: str) -> Templates:
        return copy.deepcopy(synthesized(environment, edits, only)["templates"])

    return templates_after


@pytest.fixture(scope="session")
def template_of(synthesized: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """``template_of("train-trn1", "storage", edits)``: that of one stack; after edits without exports for others."""

    def template_after(environment: str, stack_key: str, edits: Mapping[str, Any] | None = None) -> dict[str, Any]:
        return copy.deepcopy(synthesized(environment, edits, (stack_key,) if edits else ())["templates"][stack_key])

    return template_after


@pytest.fixture(scope="session")
def acknowledged_in(synthesized: Callable[..., dict[str, Any]]) -> Callable[..., Any]:
    """``acknowledged_in("train-trn1", edits)``: construct path, rule and reason of what templates acknowledge."""
    return lambda environment, edits=None: synthesized(environment, edits)["acknowledged"]


@pytest.fixture(scope="session")
def lint() -> Iterator[Lint]:
    """``lint(template, region)``: what cfn-lint finds."""
    yield from recorded_lint()


@pytest.fixture(scope="session")
def kept_helm() -> Callable[[str], Helm]:
    """``kept_helm(package)``: the helm of a kubectl layer's package, whose renders, notes and lints are kept."""
    return kept_renders.kept_helm


@pytest.fixture(scope="session")
def unkept_helm() -> Callable[[str], Helm]:
    """The same, and each call is a process."""
    return kept_renders.unkept_helm


@pytest.fixture
def helm_is_kept(monkeypatch: pytest.MonkeyPatch, kept_helm: Callable[[str], Helm]) -> None:
    """The project's helm, as commands find it, is the kept one."""
    monkeypatch.setattr("neuron_cluster.kube.cluster_tools.project_helm", lambda _, package, __: kept_helm(package))


@pytest.fixture(scope="session")
def unknown_to_lint() -> Callable[[str], set[str]]:
    """``unknown_to_lint(region)``: instance types of EC2 that, by their rows, cfn-lint's table (E3628) lacks there."""

    rows = [row for row in CATALOG.instance_types if row.cfn_lint_regions is not None]
    return lambda region: {row.name for row in rows if region not in (row.cfn_lint_regions or ())}


def _edited(tree: Any, edits: Mapping[str, Any]) -> Any:
    for path, value in edits.items():
        *parents, last = path.split(".")
        container = tree
        for step in parents:
            container = container[int(step)] if isinstance(container, list) else container.setdefault(step, {})
        if isinstance(container, list):
            position = int(last)
            container[position : position + 1] = [] if value is None else [value]
        elif value is None:
            del container[last]
        else:
            container[last] = value
    return tree
