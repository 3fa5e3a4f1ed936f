"""Which metadata configuration a Lustre file system gets, and what decides it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.errors import InvalidEnvironment
from neuron_cluster.lock.model import Lock
from neuron_cluster.lock.paths import commands_of, lock_path, locks_beside
from neuron_cluster.lock.writer import lock_text, write_lock
from neuron_cluster.pipeline import Checked, check_environment
from neuron_cluster.plan.storage_plan import LustrePlan
from neuron_cluster.plan.undecided_metadata import require_decided_metadata

CATALOG = load_catalog()

PROJECT = Path(__file__).parents[3]
OWN = "210987654321"
LUSTRE = "  lustre:\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """train-trn1 in an account of its own."""
    file = tmp_path / "train-trn1.yaml"
    text = (PROJECT / "environments" / file.name).read_text().replace("111122223333", OWN)
    file.write_text(text.replace("111122223333", OWN))
    return file


def write(file: Path, mode: str) -> None:
    text = file.read_text()
    assert LUSTRE in text
    file.write_text(text.replace(LUSTRE, f"{LUSTRE}    metadata: {mode}\n"))


def record(file: Path, mode: str) -> None:
    lock = Lock("train-trn1", OWN, "us-west-2", None, lustre_metadata=mode)
    write_lock(lock_path(locks_beside(file), "train-trn1"), lock_text(lock, {}, "a test"))


def lustre_of(checked: Checked) -> LustrePlan:
    storage = checked.require_plan().storage
    assert storage is not None
    assert storage.lustre is not None
    return storage.lustre


@pytest.mark.parametrize(
    ("written", "recorded", "expected"),
    [
        (None, None, "AUTOMATIC"),
        (None, "none", None),
        (None, "automatic", "AUTOMATIC"),
        ("none", "automatic", None),
        ("automatic", "none", "AUTOMATIC"),
    ],
)
def test_the_file_decides_then_the_lock(file: Path, written: str | None, recorded: str | None, expected: str) -> None:
    if written is not None:
        write(file, written)
    if recorded is not None:
        record(file, recorded)
    assert lustre_of(check_environment(file)).metadata_mode == expected


def test_a_lock_that_only_records_the_file_system_changes_no_finding_but_its_own(file: Path) -> None:
    before = check_environment(file)
    record(file, "none")
    after = check_environment(file)
    assert set(after.findings) - set(before.findings) == {f for f in after.findings if f.id == "W4010"}
    assert set(before.findings) <= set(after.findings)


@pytest.mark.parametrize("kind", ["persistent_1", "scratch_2"])
def test_other_deployment_types_have_none_and_nothing_to_decide(file: Path, kind: str) -> None:
    text = re.sub(r"(?m)^    throughput_mbps_per_tib: .*\n", "", file.read_text())
    file.write_text(text.replace(LUSTRE, f"{LUSTRE}    deployment_type: {kind}\n"))
    checked = check_environment(file)
    assert lustre_of(checked).metadata_mode is None
    require_decided_metadata(checked.require_plan(), "it", {}, CATALOG)
    assert "W4010" not in {finding.id for finding in checked.findings}


@pytest.mark.hints("E9032")
def test_plain_cdk_stops_until_the_file_or_the_lock_decides(file: Path) -> None:
    """The command of the hint is run in tests/integ/test_lustre_metadata_on_local_aws.py."""
    with pytest.raises(InvalidEnvironment) as refused:
        require_decided_metadata(check_environment(file).require_plan(), "it", commands_of("it"), CATALOG)
    (finding,) = refused.value.findings
    assert (finding.id, finding.location.path) == ("E9032", "storage.lustre.metadata")
    assert "`metadata: automatic`" in finding.hint
    assert "`neuron-cluster lock it`" in finding.hint
    text = file.read_text()
    write(file, "automatic")
    require_decided_metadata(check_environment(file).require_plan(), "it", {}, CATALOG)
    file.write_text(text)
    record(file, "none")
    require_decided_metadata(check_environment(file).require_plan(), "it", {}, CATALOG)


def test_an_example_is_synthesized_as_it_is() -> None:
    require_decided_metadata(
        check_environment(PROJECT / "environments" / "train-trn1.yaml").require_plan(), "it", {}, CATALOG
    )
