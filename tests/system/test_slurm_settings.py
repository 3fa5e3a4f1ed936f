"""The allow-list of Slurm settings has names that a real Slurm knows, but for those that are newer than it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Collection
from pathlib import Path

import pytest

from neuron_cluster.catalog.catalog import load_catalog

from .slurm_cluster import needs_slurm

pytestmark = [pytest.mark.system, pytest.mark.slow, *needs_slurm]

CLUSTER, GROUP, QUEUE = LEVELS = ("cluster", "group", "queue")
NEWER = {
    (CLUSTER, "CliFilterParameters"): "25.11",
    (CLUSTER, "MetricsType"): "25.11",
    (CLUSTER, "PreemptParameters"): "23.02",
    (GROUP, "Parameters"): "25.11",
    (QUEUE, "Exclusive"): "26.05",
    (QUEUE, "PowerDownOnIdle"): "23.02",
}
"""Settings that Slurm 22.05 does not have, by the version that has them: only the allow-list checks them.

Source: SchedMD/slurm@284c3b9: CHANGELOG; for Parameters commit 30b844f.
"""
VALUES = {
    "AccountingStorageEnforce": "limits",
    "AccountingStorageTRES": "gres/gpu",
    "AccountingStoreFlags": "job_comment",
    "AuthAltParameters": "disable_token_creation",
    "CliFilterPlugins": "none",
    "CommunicationParameters": "NoAddrCache",
    "EnforcePartLimits": "ALL",
    "ExclusiveUser": "YES",
    "Gres": "gpu:1",
    "HealthCheckNodeState": "ANY",
    "LaunchParameters": "enable_nss_slurm",
    "Licenses": "a:4",
    "OverSubscribe": "EXCLUSIVE",
    "PreemptExemptTime": "00:01:00",
    "PreemptMode": "REQUEUE",
    "PreemptType": "preempt/partition_prio",
    "PriorityDecayHalfLife": "7-0",
    "PriorityFavorSmall": "NO",
    "PriorityFlags": "FAIR_TREE",
    "PriorityUsageResetPeriod": "NONE",
    "PriorityWeightTRES": "CPU=1",
    "PrologFlags": "Alloc",
    "SelectTypeParameters": "CR_CPU_Memory",
    "SrunPortRange": "60001-60100",
    "TaskPluginParam": "None",
    "TRESBillingWeights": "CPU=1.0",
}
"""Values of settings that do not accept the number 1, or a path."""


def errors_of(settings: Collection[tuple[str, str]], folder: Path) -> list[str]:
    """Returns errors of Slurm for a configuration with these settings, by level and name."""

    def lines_of(level: str) -> list[str]:
        return [f"{name}={VALUES.get(name, '1')}" for at, name in settings if at == level]

    fixed = ["ClusterName=a", "SlurmctldHost=localhost", "SelectType=select/cons_tres", "GresTypes=gpu"]
    node, part = " ".join(["NodeName=n", *lines_of(GROUP)]), " ".join(["PartitionName=p Nodes=n", *lines_of(QUEUE)])
    file = folder / "slurm.conf"
    file.write_text("\n".join([*fixed, *lines_of(CLUSTER), node, part, ""]), encoding="ascii")
    ran = subprocess.run(
        ["scontrol", "show", "hostnames", "n"],
        env={"PATH": os.environ["PATH"], "SLURM_CONF": str(file)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return [line for line in ran.stderr.splitlines() if "arsing error" in line or "fatal" in line]


def allowed() -> set[tuple[str, str]]:
    catalog = load_catalog()
    return {(level, name) for level in LEVELS for name in catalog.slurm_settings[level].settings}


def test_slurm_knows_every_setting_that_is_not_newer(tmp_path: Path) -> None:
    assert set(NEWER) < allowed()
    assert errors_of(sorted(allowed() - set(NEWER)), tmp_path) == []


@pytest.mark.parametrize(("level", "name"), sorted(NEWER))
def test_slurm_does_not_know_a_newer_setting(level: str, name: str, tmp_path: Path) -> None:
    """Else it is of the list by mistake."""
    assert f"unrecognized key: {name}" in "\n".join(errors_of([(level, name)], tmp_path))


def test_no_setting_is_allowed_before_slurm_has_it() -> None:
    catalog = load_catalog()
    first = {(level, name): catalog.slurm_settings[level].settings[name] for level, name in NEWER}
    assert {setting: version for setting, version in NEWER.items() if first[setting] < version} == {}
