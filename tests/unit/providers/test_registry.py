"""A provider that registers late is part of the file everywhere, and is gone when it leaves."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from neuron_cluster.changes.change_table import change_rows
from neuron_cluster.changes.summary.edited_key import edited_keys
from neuron_cluster.cli.main import main
from neuron_cluster.config.editor_schema import editor_schema
from neuron_cluster.config.environment_config import EnvironmentConfig, environment_model
from neuron_cluster.config.field_docs import pattern_paths
from neuron_cluster.config.fields import walk_fields
from neuron_cluster.config.loader import load_environment
from neuron_cluster.findings.registry import finding_specs
from neuron_cluster.pipeline import check_environment
from neuron_cluster.plan.stack_table import stack_keys
from neuron_cluster.protocol.registry import register, registered, unregister
from neuron_cluster.rules.discover import all_rules
from tests.unit.providers.farm import Farm, FarmProvider

KNOWN = ("storage", "eks", "farm", "workstations", "observability")
"""Sections of the file in these tests: another provider has another one between them."""
SHIPPED = Path(__file__).parents[3] / "environments" / "train-trn1.yaml"


@pytest.fixture
def farm() -> Iterator[FarmProvider]:
    """Registered after everything was computed without it."""
    load_environment(SHIPPED)
    assert "farm" not in {*environment_model().model_fields, *pattern_paths()}
    assert "W3990" not in {*finding_specs(), *(rule.id for rule in all_rules())}
    provider = FarmProvider()
    register(provider)
    yield provider
    unregister(provider)


def written(folder: Path, section: str) -> Path:
    file = folder / SHIPPED.name
    file.write_text(f"{SHIPPED.read_text()}\n{section}")
    return file


def config_of(folder: Path, section: str) -> EnvironmentConfig:
    loaded = load_environment(written(folder, section))
    assert loaded.findings == ()
    assert loaded.config is not None
    return loaded.config


@pytest.mark.usefixtures("farm")
def test_its_section_is_read_with_its_own_type(tmp_path: Path) -> None:
    farm = config_of(tmp_path, "farm: {code: farm-7, idle: true}").section(Farm)
    assert farm is not None
    assert (farm.code, farm.idle) == ("farm-7", True)
    assert config_of(tmp_path, "").section(Farm) is None


@pytest.mark.usefixtures("farm")
@pytest.mark.parametrize(
    ("section", "finding", "path", "text"),
    [
        ("farm: {code: farm-7, idel: true}", "E0010", "farm.idel", "idle"),
        ("farm: {code: seven}", "E0013", "farm.code", "the code of a farm such as farm-1"),
        ("farms: {code: farm-7}", "E0010", "farms", "farm"),
        ("farm: {code: farm-7, idle: true}", "W3990", "farm.idle", "idle is true"),
    ],
)
def test_mistakes_in_it_are_findings_with_a_line(
    section: str, finding: str, path: str, text: str, tmp_path: Path
) -> None:
    file = written(tmp_path, section)
    (found,) = [each for each in check_environment(file).findings if each.location.path == path]
    assert (found.id, found.location.line) == (finding, len(file.read_text().splitlines()))
    assert text in f"{found.message} {found.hint}"


@pytest.mark.usefixtures("farm")
@pytest.mark.parametrize("topic", ["farm", "farm.code", "farm.idle", "W3990"])
def test_explain_knows_it(topic: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", topic]) == 0
    assert "farm" in capsys.readouterr().out


@pytest.mark.usefixtures("farm")
def test_editors_know_it() -> None:
    farm = json.loads(editor_schema())["$defs"]["Farm"]
    assert farm["properties"]["code"]["pattern"] == r"^farm-[0-9]$"


@pytest.mark.usefixtures("farm")
def test_an_edit_of_it_has_its_row(tmp_path: Path) -> None:
    rows = change_rows(registered())
    assert {row.path for row in rows} == {path for path, _ in walk_fields()}
    old, new = (config_of(tmp_path, f"farm: {{code: farm-{number}}}") for number in (1, 2))
    (edit,) = edited_keys(old, new, {row.path: row for row in rows})
    assert (edit.path, edit.what) == ("farm.code", "Another farm.")


@pytest.mark.parametrize(("position", "order"), [(5, ["farm", "eks"]), (20, ["eks", "farm"])])
def test_sections_are_between_storage_and_workstations_by_position(position: int, order: list[str]) -> None:
    provider = FarmProvider(position=position)
    register(provider)
    try:
        fields = [each for each in environment_model().model_fields if each in KNOWN]
        top = [row.path for row in change_rows(registered()) if row.path in ("storage", "workstations", *order)]
        keys = [each.section.key for each in registered() if each.section.key in KNOWN]
    finally:
        unregister(provider)
    assert fields[fields.index("storage") : fields.index("observability")] == ["storage", *order, "workstations"]
    assert top == ["storage", *order, "workstations"]
    assert keys == order


@pytest.mark.parametrize("key", ["eks", "storage"])
def test_a_key_that_is_taken_is_refused_and_changes_nothing(key: str) -> None:
    before = (registered(), environment_model())
    with pytest.raises(ValueError, match=key):
        register(FarmProvider(key=key))
    assert (registered(), environment_model()) == before


def test_a_second_one_with_the_same_section_is_rejected(farm: FarmProvider) -> None:
    second = FarmProvider()
    second.section = farm.section
    with pytest.raises(ValueError, match="two providers have the key farm"):
        register(second)
    assert farm in registered()
    register(farm)


def test_its_stacks_are_between_those_of_the_core() -> None:
    provider = FarmProvider(parts={"barn": ("network",), "field": ("farm-barn", "storage")})
    register(provider)
    try:
        parts = stack_keys()
        assert parts.index("nodes-4") < parts.index("farm-barn") == parts.index("farm-field") - 1
        assert parts.index("farm-field") < parts.index("workstations") < parts.index("observability")
    finally:
        unregister(provider)
    assert not {"farm-barn", "farm-field"} & {*stack_keys()}


def test_stacks_that_no_deploy_could_follow_register_nothing() -> None:
    provider = FarmProvider(parts={"field": ("farm-barn",)})
    with pytest.raises(ValueError, match="the stack farm-field is after farm-barn"):
        register(provider)
    assert "farm" not in environment_model().model_fields
    assert "farm-field" not in stack_keys()


def test_it_has_a_part_of_the_plan(farm: FarmProvider, tmp_path: Path) -> None:
    plan = check_environment(written(tmp_path, "farm: {code: farm-7}")).require_plan()
    assert [(each.path, type(each).__name__) for each in plan.providers] == [
        (("eks",), "EksPlan"),
        ((farm.section.key,), "FarmPlan"),
    ]
    assert plan.kubernetes is plan.providers[0]


WITHOUT_OTHERS = """
from neuron_cluster.protocol.registry import register, unregister
from neuron_cluster.protocol.schedulers import schedulers
from neuron_cluster.schedulers.kubernetes.scheduler import KUBERNETES
from tests.unit.providers.farm import FarmProvider

provider = FarmProvider()
provider.schedulers = (KUBERNETES,)
register(provider)
unregister(provider)
print(*(scheduler.name for scheduler in schedulers()))
"""


def test_a_scheduler_of_the_toolkit_stays_when_another_provider_leaves() -> None:
    """In a process that has not imported the providers of the toolkit yet."""
    ran = subprocess.run(
        [sys.executable, "-c", WITHOUT_OTHERS], cwd=SHIPPED.parents[1], capture_output=True, text=True, check=True
    )
    assert ran.stdout.split() == ["kubernetes", "sagemaker", "slurm"]
