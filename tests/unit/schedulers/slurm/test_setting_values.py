"""Values of Slurm settings: what slurmctld reads. tests/system asks a real slurmctld about the same values."""

from __future__ import annotations

from pathlib import Path

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.findings.finding import Severity
from neuron_cluster.pipeline import check_environment
from neuron_cluster.providers.pcs.setting_names import remedy
from neuron_cluster.schedulers.slurm.setting_values import allowed, excluded_words, likely, newer_words, reads
from neuron_cluster.toolkit_files import TEMPLATES
from tests.slurm_values import NOT_READ, READ

CATALOG = load_catalog()
VERSION = "25.11"


@pytest.mark.parametrize(("level", "name", "text"), READ)
def test_a_value_is_read(level: str, name: str, text: str) -> None:
    value = CATALOG.slurm_settings[level].values[name]
    assert reads(value, text)
    assert not newer_words(value, text, "24.11")
    assert not excluded_words(value, text)


@pytest.mark.parametrize(("level", "name", "text"), NOT_READ)
def test_a_value_is_not_read(level: str, name: str, text: str) -> None:
    value = CATALOG.slurm_settings[level].values[name]
    assert not reads(value, text) or excluded_words(value, text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("MaxTime", ""), ("MaxTime", " 60"), ("MaxTime", "60\n"), ("MaxTime", "\uff12"), ("MaxTime", "9" * 1000),
        ("PriorityTier", "\u0663"), ("PriorityTier", "9" * 1000), ("PriorityTier", "+1"), ("PriorityTier", "0x10"),
        ("TRESBillingWeights", ","), ("TRESBillingWeights", "CPU=\u0661"), ("PreemptMode", ","),
        ("PowerDownOnIdle", ""),
    ],
)  # fmt: skip
def test_unusual_texts_are_no_values(name: str, text: str) -> None:
    assert not reads(CATALOG.slurm_settings["queue"].values[name], text)


def test_every_kind_names_what_is_allowed() -> None:
    for row in CATALOG.slurm_settings:
        for name, value in row.values.items():
            assert len(allowed(value, VERSION)) > 5, name
            assert set(value.one_of) <= set(value.words), name


@pytest.mark.parametrize(
    ("level", "name", "text", "meant"),
    [
        ("cluster", "JobRequeue", "true", "1"), ("cluster", "JobRequeue", "no", "0"),
        ("cluster", "JobRequeue", "2", ""),
        ("queue", "PowerDownOnIdle", "on", "YES"), ("queue", "PowerDownOnIdle", "maybe", ""),
        ("queue", "PriorityTier", "010", "10"), ("queue", "PriorityTier", "0100000", ""),
        ("queue", "PriorityTier", " 7", "7"), ("queue", "MaxTime", "010", ""),
    ],
)  # fmt: skip
def test_what_a_text_means_is_proposed_where_it_is_certain(level: str, name: str, text: str, meant: str) -> None:
    assert likely(CATALOG.slurm_settings[level].values[name], text) == meant


@pytest.mark.parametrize(
    ("name", "level", "version", "says"),
    [
        ("SchedulerParamters", "cluster", VERSION, "did you mean SchedulerParameters? remove SchedulerParamters"),
        ("priorityweightage", "cluster", VERSION, "write PriorityWeightAge, as PCS spells it"),
        ("MaxTime", "cluster", VERSION, "move MaxTime to settings of a queue"),
        ("maxtime", "group", VERSION, "move maxtime as MaxTime to settings of a queue"),
        ("MaxTim", "cluster", VERSION, "did you mean MaxTime in settings of a queue? remove MaxTim"),
        ("Prologue", "cluster", VERSION, "did you mean Prolog? the toolkit decides Prolog: remove Prologue"),
        ("prolog", "queue", VERSION, "the toolkit decides Prolog: remove prolog"),
        ("Gres", "queue", VERSION, "the instance type decides Gres: remove Gres"),
        ("Sockets", "queue", "25.05", "move Sockets to settings of a group (from Slurm 25.11 on)"),
        ("MetricType", "cluster", "25.05", "did you mean MetricsType (from Slurm 25.11 on)? remove MetricType"),
        ("OverTimeLimit", "group", VERSION, "move OverTimeLimit to slurm.settings or settings of a queue"),
        ("PriorityType", "cluster", VERSION, "remove PriorityType"),
        ("Priority", "cluster", VERSION, "remove Priority"),
        ("Xyzzy", "cluster", VERSION, "remove Xyzzy"),
        ("", "cluster", VERSION, 'remove ""'),
        ("Max\x1bTime", "cluster", VERSION, 'did you mean MaxTime in settings of a queue? remove "Max�Time"'),
    ],
)
def test_a_name_that_pcs_does_not_accept_has_a_remedy(name: str, level: str, version: str, says: str) -> None:
    assert remedy(name, level, version, CATALOG) == says


def test_a_list_and_null_are_not_texts(tmp_path: Path) -> None:
    text = (TEMPLATES / "slurm-trn1.yaml").read_text(encoding="utf-8")
    file = tmp_path / "slurm-trn1.yaml"
    file.write_text(f"{text}  settings: {{Licenses: [foo, bar], MinJobAge: null, FirstJobId: x}}\n", encoding="utf-8")
    found = {each.location.path: each for each in check_environment(file).findings if each.severity is Severity.ERROR}
    assert {path: each.id for path, each in found.items()} == {
        "slurm.settings.Licenses": "E0013",
        "slurm.settings.MinJobAge": "E0013",
        "slurm.settings.FirstJobId": "E2115",
    }
    assert found["slurm.settings.Licenses"].message.endswith('with commas between its values: "foo,bar"')
    assert found["slurm.settings.MinJobAge"].message.endswith(
        'remove it for the default, or write "null" with the quotes'
    )


def test_the_three_nearest_names_are_suggested() -> None:
    found = remedy("PriorityWeight", "cluster", VERSION, CATALOG)
    assert found.startswith("did you mean PriorityWeight")
    assert found.count("PriorityWeight") == 4
