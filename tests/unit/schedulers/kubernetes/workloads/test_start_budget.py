"""The time of a start, step by step, and the time-outs that it must fit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.findings.finding import Finding
from neuron_cluster.kube.helm import Helm
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.rehearsal.rehearsal_plan import Request
from neuron_cluster.schedulers.kubernetes.rehearsal.workload_plan import workload_plan
from neuron_cluster.schedulers.kubernetes.workloads.prepared import PreparedWorkload
from neuron_cluster.schedulers.kubernetes.workloads.rendering import RenderedWorkload
from neuron_cluster.schedulers.kubernetes.workloads.startup.budget import StartBudget, Step
from neuron_cluster.schedulers.kubernetes.workloads.startup.build_budget import start_budget
from neuron_cluster.schedulers.kubernetes.workloads.startup.findings import minutes, startup_findings
from neuron_cluster.schedulers.kubernetes.workloads.startup.text import budget_text
from tests.unit.schedulers.kubernetes.conftest import Choose

CATALOG = load_catalog()

S3 = {"source": "s3", "claim": "", "path": "", "url": "s3://models/llama", "sizeGib": 150}
CACHE = {"compileCache": {"claim": "lustre"}}
SLOW_DISK = {"eks.node_groups.1.local_disks": "none"}

Budgets = Callable[..., StartBudget]


def labelled(kind: str, queue: str, probe: Mapping[str, Any] | None = None) -> dict[str, Any]:
    container = {"name": "main"} | ({"startupProbe": probe} if probe is not None else {})
    return {
        "apiVersion": "apps/v1",
        "kind": kind,
        "metadata": {"name": "it", "labels": {"kueue.x-k8s.io/queue-name": queue} if queue else {}},
        "spec": {"template": {"spec": {"containers": [container]}}},
    }


@pytest.fixture
def budget(choose: Choose, cached_plan: Callable[..., ClusterPlan]) -> Budgets:
    """``budget("neuron-serving", {values}, {edits}, objects=…)`` in train-trn2, which has a queue."""

    def of(
        chart: str,
        given: Mapping[str, Any],
        edits: Mapping[str, Any] | None = None,
        *,
        objects: Sequence[Mapping[str, Any]] = (),
        **options: Any,
    ) -> StartBudget:
        chosen = choose(chart, "train-trn2", edits, claim="lustre", given=given, **options)
        cluster = cached_plan("train-trn2", edits).kubernetes
        assert cluster is not None
        return start_budget(chosen, list(objects), cluster, CATALOG)

    return of


@pytest.fixture
def served(budget: Budgets) -> Callable[..., list[Finding]]:
    """Findings of a server in a queue that compiles for so many minutes, and loads for 15."""

    def findings(compile_minutes: int, given: Mapping[str, Any], edits: Mapping[str, Any] | None = None) -> list[Any]:
        values = {"startup": {"compileMinutes": compile_minutes}, **given}
        objects = [labelled("Deployment", "training", {"periodSeconds": 60, "failureThreshold": compile_minutes + 15})]
        return list(startup_findings(budget("neuron-serving", values, edits, objects=objects), "neuron-serving"))

    return findings


def test_a_cold_start_is_the_sum_of_its_steps_and_a_warm_one_has_image_and_graphs(budget: Budgets) -> None:
    found = budget("neuron-serving", {"startup": {"compileMinutes": 40, "loadMinutes": 15}, **CACHE})
    seconds = {step.name: (step.cold_seconds, step.warm_seconds) for step in found.steps}
    timings = CATALOG.controller_timings
    assert seconds == {
        Step.NODE_JOIN: (timings["node_boot_and_join"].seconds, 0),
        Step.IMAGE_PULL: (timings["image_pull"].seconds, 0),
        Step.COMPILE: (2400, 0),
        Step.LOAD: (900, 900),
    }
    assert (minutes(found.cold_seconds()), minutes(found.warm_seconds())) == (69, 15)
    assert all(step.source and step.doubt for step in found.steps[:2])


def test_without_a_cache_every_start_compiles_and_with_required_graphs_none(budget: Budgets) -> None:
    bare = budget("neuron-serving", {"compileCache": {"claim": ""}})
    assert bare.warm_seconds([Step.COMPILE]) == bare.cold_seconds([Step.COMPILE]) == 2400
    assert "what it compiles is not kept" in budget_text(bare)
    required = budget("neuron-serving", {**CACHE, "precompiled": {"required": True}})
    assert required.cold_seconds([Step.COMPILE]) == 0


@pytest.mark.parametrize(
    ("engine", "cache", "is_kept"),
    [
        ("vllm", {"claim": "lustre"}, True),
        ("vllm", {"claim": "lustre", "share": False}, False),
        ("vllm", {"claim": "", "url": "s3://models/cache"}, False),
        ("vllm_nxd", {"claim": "", "url": "s3://models/cache"}, True),
        ("vllm_nxd", {"claim": ""}, False),
    ],
)
def test_an_engine_keeps_its_graphs_where_it_writes_them(
    engine: str, cache: Mapping[str, Any], is_kept: bool, budget: Budgets
) -> None:
    found = budget("neuron-serving", {"engine": engine, "compileCache": cache})
    assert (found.warm_seconds([Step.COMPILE]) == 0) is is_kept


def test_a_group_that_pulls_in_parallel_pulls_faster(budget: Budgets) -> None:
    edits = {"eks.node_groups.1.fast_image_pull": True, **SLOW_DISK}
    parallel = budget("neuron-training", {}, edits)
    assert parallel.cold_seconds([Step.IMAGE_PULL]) == CATALOG.start_timings["image_pull_parallel"].seconds
    assert "layers in parallel, to a root volume of 500 MiB/s (estimate)" in budget_text(parallel)


def test_a_copy_from_s3_is_as_fast_as_the_network_or_the_shared_disk_of_the_node(
    budget: Budgets,
) -> None:
    copied = budget("neuron-serving", {"weights": S3})
    assert copied.cold_seconds([Step.COPY]) == copied.warm_seconds([Step.COPY]) == round(150 * 8.59 / 25)
    quarter = {"weights": S3, "machine": {"neuronDevices": 4}, "replicas": 4}
    shared = budget("neuron-serving", quarter, SLOW_DISK)
    assert shared.cold_seconds([Step.COPY]) == round(150 * 4 * 1024 / 500)
    assert "150 GiB of each of 4 pods to a root volume of 500 MiB/s" in budget_text(shared)
    kept = budget("neuron-serving", {**quarter, "weights": {**S3, "nodeCache": {"claim": "disk"}}}, SLOW_DISK)
    assert kept.cold_seconds([Step.COPY]) == round(150 * 1024 / 500)
    assert kept.warm_seconds([Step.COPY]) == 0


def test_other_charts_have_the_time_outs_of_their_jobs(budget: Budgets) -> None:
    (deadline,) = budget("model-store", {"download": {"repository": "a/b"}, "timeoutMinutes": 30}).limits
    assert (deadline.key, deadline.seconds) == ("timeoutMinutes", 1800)
    batch = budget("batch-inference", {})
    assert {Step.COMPILE, Step.LOAD} <= {step.name for step in batch.steps}
    assert batch.warm_seconds([Step.COMPILE]) == 2400, "engine vllm reads a cache and writes nothing there"


def test_kueue_counts_all_steps_of_a_server_and_those_before_the_container_of_a_job(budget: Budgets) -> None:
    (kueue,) = budget("neuron-serving", {}, objects=[labelled("Deployment", "training")]).limits
    assert (kueue.name, kueue.seconds, kueue.key) == ("Kueue", 180 * 60, "eks.pods_ready_minutes")
    assert kueue.steps == tuple(step for step in Step if step is not Step.FILL)
    training = budget("neuron-training", {"nodes": 4}, objects=[labelled("Job", "training")])
    kueue, barrier = training.limits
    assert Step.COMPILE not in kueue.steps
    assert (barrier.key, barrier.seconds) == ("timeouts.startSeconds", 1200)
    assert budget("neuron-training", {"nodes": 1}, objects=[labelled("Job", "")]).limits == ()


def test_a_first_start_that_kueue_ends_is_a_warning_where_a_later_one_fits(
    served: Callable[..., list[Finding]],
) -> None:
    assert served(150, CACHE) == []
    (late,) = served(160, CACHE)
    assert (late.id, late.location.path) == ("W9254", "eks.pods_ready_minutes")
    assert "takes 189 minutes (node joins 6, image pull 8, compile 160, load 15), a later one 15" in late.message
    assert "Kueue allows 180:" in late.message


@pytest.mark.hints("E9240", "W9254")
def test_each_way_out_is_one(served: Callable[..., list[Finding]], budget: Budgets) -> None:
    bare = {"compileCache": {"claim": ""}}
    (late,) = served(300, bare)
    assert late.id == "E9240"
    assert "set eks.pods_ready_minutes: 329 and deploy" in late.hint
    assert served(300, bare, {"eks.pods_ready_minutes": 329}) == []
    assert "keep the graphs in compileCache.claim" in late.hint
    (first,) = served(300, CACHE)
    assert first.id == "W9254"
    assert "compileCache" not in first.hint
    assert "compileCache.url with charts/compile-cache-warmer and set precompiled.required: true" in late.hint
    assert served(300, {"compileCache": {"claim": "", "url": "s3://models/c"}, "precompiled": {"required": True}}) == []
    assert "set queue.name to an empty text" in late.hint
    without = budget("neuron-serving", bare, objects=[labelled("Deployment", "")])
    assert list(startup_findings(without, "neuron-serving")) == []


def test_weights_that_are_read_longer_than_the_probe_allows(budget: Budgets) -> None:
    slow = {"weights": {**S3, "source": "mountpoint", "sizeGib": 1500, "gigabitsPerSecond": 5}, **CACHE}
    probe = {"periodSeconds": 60, "failureThreshold": 55}
    objects = [labelled("Deployment", "", probe)]
    assert list(startup_findings(budget("neuron-serving", {}, objects=objects), "neuron-serving")) == []
    (late,) = startup_findings(budget("neuron-serving", slow, objects=objects), "neuron-serving")
    assert (late.id, late.location.path) == ("W9254", "startup.loadMinutes")
    assert "the startup probe allows 55" in late.message


def test_a_wait_for_pods_that_is_shorter_than_a_node_needs(budget: Budgets) -> None:
    short = {"nodes": 4, "timeouts": {"startSeconds": 600}}
    (late,) = startup_findings(budget("neuron-training", short), "neuron-training")
    assert (late.id, late.location.path) == ("W9254", "timeouts.startSeconds")
    assert "set timeouts.startSeconds: 840" in late.hint
    enough = {"nodes": 4, "timeouts": {"startSeconds": 840}}
    assert list(startup_findings(budget("neuron-training", enough), "neuron-training")) == []


def test_an_estimate_of_the_catalog_is_never_an_error(budget: Budgets) -> None:
    short = {"timeouts": {"jobSeconds": 1800}, "compileCache": {"claim": ""}}
    (late,) = startup_findings(budget("neuron-training", short), "neuron-training")
    assert (late.id, late.location.path) == ("W9254", "timeouts.jobSeconds")


def test_the_time_of_a_users_configuration_counts_and_the_shorter_one_of_two(
    budget: Budgets, cached_plan: Callable[..., ClusterPlan]
) -> None:
    cluster = cached_plan("train-trn2").kubernetes
    assert cluster is not None
    (kueue,) = (each for each in cluster.charts if each.chart == "kueue")
    text = kueue.values["managerConfig"]["controllerManagerConfigYaml"]
    for own, allowed in (('"recoveryTimeout": "1h10m"', 70), ('"recoveryTimeout": "0s"', 180)):
        values = {"managerConfig": {"controllerManagerConfigYaml": text.replace('"recoveryTimeout": "180m"', own)}}
        edits = {"eks.chart_values": {"kueue": values}}
        (limit,) = budget("neuron-serving", {}, edits, objects=[labelled("Deployment", "training")]).limits
        assert limit.seconds == allowed * 60


def test_probes_without_numbers_have_those_of_kubernetes(budget: Budgets) -> None:
    (probe,) = budget("neuron-serving", {}, objects=[labelled("Deployment", "", {})]).limits
    assert probe.seconds == 30, "three failures, ten seconds apart"


def test_a_rehearsal_pulls_images_as_long_as_the_budget_unless_the_user_sets_a_time(
    choose: Choose, cached_plan: Callable[..., ClusterPlan]
) -> None:
    edits = {"eks.node_groups.1.fast_image_pull": True}
    plan = cached_plan("train-trn2", edits)
    cluster, chosen = plan.kubernetes, choose("collectives-check", "train-trn2", edits)
    assert cluster is not None
    workload = RenderedWorkload(chosen, "", (), (), start_budget(chosen, [], cluster, CATALOG))
    prepared = PreparedWorkload(plan, cluster, workload, "check", "default", Helm(Path("helm")), CATALOG)
    for given, seconds in (({}, CATALOG.start_timings["image_pull_parallel"].seconds), ({"image_pull": 5.0}, 5.0)):
        request = Request(
            faults=(), nodes=2, steps=1, ranks=1, compile_seconds=60, limit_hours=1, seconds=given,
            step_seconds=20, checkpoint_every=5, save_seconds=10,
        )  # fmt: skip
        assert workload_plan(prepared, request, 3600).seconds["image_pull"] == seconds


def test_a_model_that_torchserve_loads_was_compiled_before(
    choose: Choose, cached_plan: Callable[..., ClusterPlan]
) -> None:
    chosen = choose("neuron-serving", "serve-inf1", claim="lustre")
    cluster = cached_plan("serve-inf1", None).kubernetes
    assert cluster is not None
    steps = start_budget(chosen, [], cluster, CATALOG).steps
    assert Step.COMPILE not in {each.name for each in steps}
    assert [each for each in chosen.findings if each.id in ("W9263", "E9261")] == [], "the model is not one of vLLM"


def test_a_server_that_compiles_nothing_starts_after_its_cache_is_filled(budget: Budgets) -> None:
    given = {"startup": {"compileMinutes": 40}, "precompiled": {"required": True}, **CACHE}
    found = budget("neuron-serving", given)
    assert (found.cold_seconds([Step.FILL]), found.warm_seconds([Step.FILL])) == (2400, 0)
    assert "compile-cache-warmer, before the first start" in budget_text(found)
    assert all(Step.FILL not in limit.steps for limit in found.limits)
    assert Step.FILL not in {step.name for step in budget("neuron-serving", CACHE).steps}


def test_an_image_is_pulled_to_the_disk_of_the_group_that_the_pods_select(budget: Budgets) -> None:
    """The viewer of neuron-explorer runs on the system group, which has no NVMe disks."""

    def disk(group: str) -> str:
        viewer = labelled("Deployment", "")
        viewer["spec"]["template"]["spec"]["nodeSelector"] = {"neuron-cluster/node-group": group}
        found = budget("neuron-explorer", {"capture": {"enabled": False}}, objects=[viewer])
        return next(step.reason for step in found.steps if step.name is Step.IMAGE_PULL)

    assert disk("system").endswith("to a root volume of 125 MiB/s")
    assert disk("trn2").endswith("to local NVMe disks")
