"""compile-cache-warmer: failed compilations are tried again, and what servers use is not deleted for its age."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from bundled_charts import CHARTS, BundledChart
from renders import Renders, newest_helm

from local_kubernetes.model.chart_values import merged
from neuron_cluster.kube.helm import HelmError

pytestmark = pytest.mark.slow
WARMER = BundledChart(CHARTS / "compile-cache-warmer")


def rendered(renders: Renders, example: str, given: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    return renders.of_values(WARMER, merged(WARMER.values(example), given), newest_helm())


def flags_of(renders: Renders, example: str, given: Mapping[str, Any]) -> list[str]:
    (job,) = [body for body in rendered(renders, example, given) if body["kind"] == "Job"]
    (compiler,) = job["spec"]["template"]["spec"]["containers"]
    return [each["value"] for each in compiler["env"] if each["name"] == "NEURON_CC_FLAGS"]


def test_the_persistent_cache_compiles_again_what_failed(renders: Renders) -> None:
    """vLLM Neuron has another cache; flags of one's own are left alone."""
    assert flags_of(renders, "torch-xla-on-trn1", {}) == ["--retry_failed_compilation"]
    assert flags_of(renders, "torch-xla-on-trn1", {"env": {"NEURON_CC_FLAGS": "-O1"}}) == ["-O1"]
    assert flags_of(renders, "vllm-on-cpu", {}) == []


def test_entries_are_deleted_by_age_only_where_runs_mark_those_in_use(renders: Renders) -> None:
    off = {"schedule": {"enabled": False}}
    with pytest.raises(HelmError, match=r"set schedule\.enabled, or cleanUp\.maxAgeDays: 0"):
        rendered(renders, "vllm-on-cpu", off)
    by_size = rendered(renders, "vllm-on-cpu", {**off, "cleanUp": {"maxAgeDays": 0}})
    (clean_up,) = [body for body in by_size if body["kind"] == "CronJob"]
    (container,) = clean_up["spec"]["jobTemplate"]["spec"]["template"]["spec"]["containers"]
    assert {"--max-age-days=0", "--stale-hours=6"} < set(container["args"])
