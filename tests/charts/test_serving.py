"""neuron-serving: time-outs, drain, scaling and graphs that follow from the values."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from bundled_charts import CHARTS, DEFAULTS, BundledChart
from renders import NAMESPACE, Renders, newest_helm

from local_kubernetes.model.chart_values import merged
from neuron_cluster.kube.helm import HelmError
from neuron_cluster.schedulers.kubernetes.manifest_rules.run import check_manifests

pytestmark = pytest.mark.slow
SERVING = BundledChart(CHARTS / "neuron-serving")
WARMER = BundledChart(CHARTS / "compile-cache-warmer")
NOT_OF_THE_GRAPHS = ("--served-model-name=", "--port=", "--shutdown-timeout=")
SEGMENTS = {"kv_segment_size_buckets": [8192], "num_batched_tokens_buckets": [8192], "num_seqs_buckets": [8]}


def rendered(renders: Renders, given: Mapping[str, Any], example: str = DEFAULTS) -> dict[str, Mapping[str, Any]]:
    """The objects by their kind."""
    values = merged(SERVING.values(example), given)
    return {body["kind"]: body for body in renders.of_values(SERVING, values, newest_helm())}


def pod_of(renders: Renders, given: Mapping[str, Any], example: str = DEFAULTS) -> Mapping[str, Any]:
    spec: Mapping[str, Any] = rendered(renders, given, example)["Deployment"]["spec"]["template"]["spec"]
    return spec


def environment_of(renders: Renders, given: Mapping[str, Any]) -> dict[str, str]:
    server = pod_of(renders, given)["containers"][0]
    return {each["name"]: each["value"] for each in server["env"]}


def arguments_of(renders: Renders, given: Mapping[str, Any], example: str = DEFAULTS) -> list[str]:
    server = pod_of(renders, given, example)["containers"][0]
    return list(server["args"])


def buckets_in(arguments: list[str]) -> Any:
    (config,) = [each.partition("=")[2] for each in arguments if each.startswith("--additional-config=")]
    return json.loads(config)["neuron_config"]


@pytest.mark.parametrize("idle", [600, 60])
def test_the_server_keeps_connections_for_longer_than_the_load_balancer(idle: int, renders: Renders) -> None:
    given = {"gateway": {"idleTimeoutSeconds": idle}}
    assert int(environment_of(renders, given)["VLLM_HTTP_TIMEOUT_KEEP_ALIVE"]) == idle + 20


@pytest.mark.parametrize(
    ("given", "seconds"),
    [
        ({}, 1200),
        ({"precompiled": {"required": True}, "compileCache": {"claim": "c"}}, 300),
        ({"probes": {"stepSeconds": 90}}, 90),
    ],
)
def test_a_step_that_hangs_ends_the_engine_long_before_a_start_may_take(
    given: Mapping[str, Any], seconds: int, renders: Renders
) -> None:
    environment = environment_of(renders, {"startup": {"compileMinutes": 90, "loadMinutes": 45}, **given})
    assert environment["VLLM_EXECUTE_MODEL_TIMEOUT_SECONDS"] == str(seconds)
    assert environment["NEURON_RT_EXEC_TIMEOUT"] == str(min(seconds, 600))
    assert environment["VLLM_ENGINE_READY_TIMEOUT_S"] == str(135 * 60)


def test_vllm_gives_a_start_up_before_the_kubelet_does(renders: Renders) -> None:
    """Its log has the reason; the restart of a container has none."""
    (server,) = [each for each in pod_of(renders, {})["containers"] if each["name"] == "vllm"]
    probe = server["startupProbe"]
    limit = int({each["name"]: each["value"] for each in server["env"]}["VLLM_ENGINE_READY_TIMEOUT_S"])
    assert 10 * probe["periodSeconds"] * probe["failureThreshold"] >= 11 * limit


@pytest.mark.parametrize(("engine", "seconds"), [("vllm", 45), ("vllm_nxd", 45 + 120)])
def test_requests_end_before_an_engine_that_ends_them(engine: str, seconds: int, renders: Renders) -> None:
    """vLLM 0.18 and later finish them after the signal (--shutdown-timeout), vLLM 0.16 does not."""
    pod = pod_of(renders, {"engine": engine})
    (server,) = pod["containers"]
    assert server["lifecycle"]["preStop"]["sleep"]["seconds"] == seconds
    assert ("--shutdown-timeout=120" in server["args"]) is (engine == "vllm")
    assert pod["terminationGracePeriodSeconds"] > 45 + 120


def triggers_of(renders: Renders, **scaling: Any) -> list[tuple[str, str]]:
    body = rendered(renders, {"autoscaling": {"enabled": True, **scaling}, "model": {"dataParallelSize": 1}})
    triggers = [each["metadata"] for each in body["ScaledObject"]["spec"]["triggers"]]
    assert {each["ignoreNullValues"] for each in triggers} == {"false"}
    return [(each["query"], each["threshold"]) for each in triggers]


def test_full_replicas_without_a_queue_are_not_removed(renders: Renders) -> None:
    """Eight requests at once, of which four fifths ask for one more: 4 replicas with 8 each keep 4 and more."""
    of = f'{{namespace="{NAMESPACE}",model_name="llama-3.3-70b-instruct"}}'
    waiting = f"sum(vllm:num_requests_waiting{of})"
    running = f"sum(vllm:num_requests_running{of})"
    assert triggers_of(renders) == [(waiting, "5"), (f"{running} + {waiting}", "6")]
    assert triggers_of(renders, busyPercent=5, queueDepth=2) == [(waiting, "2"), (f"{running} + {waiting}", "1")]


def test_a_query_of_ones_own_is_the_only_one(renders: Renders) -> None:
    assert triggers_of(renders, query="sum(up)", queueDepth=3) == [("sum(up)", "3")]


def test_several_nodes_a_replica_are_refused_unless_they_are_asked_for(renders: Renders) -> None:
    given = {"nodesPerReplica": 2, "machine": {"efaInterfaces": 16}}
    with pytest.raises(HelmError, match=r"untested\.severalNodes: true"):
        rendered(renders, given)
    assert "LeaderWorkerSet" in rendered(renders, {**given, "untested": {"severalNodes": True}})


def test_the_defaults_compile_two_graphs_in_segments(renders: Renders) -> None:
    """Prefix caching is on in vLLM Neuron, and starts with segments only."""
    arguments = arguments_of(renders, {})
    assert "--max-num-batched-tokens=8192" in arguments
    assert buckets_in(arguments) == SEGMENTS
    assert "--no-enable-prefix-caching" not in arguments


def test_a_prompt_that_fits_one_step_needs_no_segments_and_gets_no_prefix_caching(renders: Renders) -> None:
    """As AWS's setup guide starts a small model."""
    model = {"model": {"maxModelLen": 2000, "maxNumSeqs": 1}}
    arguments = arguments_of(renders, model)
    assert "--max-num-batched-tokens=2048" in arguments, "not a multiple of the 64 cores that share a step"
    assert "--no-enable-prefix-caching" in arguments
    assert buckets_in(arguments) == {"num_batched_tokens_buckets": [2048], "num_seqs_buckets": [1]}
    asked = {"model": {**model["model"], "extraArgs": ["--enable-prefix-caching"]}}
    assert "--no-enable-prefix-caching" not in arguments_of(renders, asked)


def test_a_segment_has_a_size_that_the_kernel_has(renders: Renders) -> None:
    assert buckets_in(arguments_of(renders, {"model": {"maxNumBatchedTokens": 2048}}))["kv_segment_size_buckets"] == [
        2048
    ]
    with pytest.raises(HelmError, match=r"maxNumBatchedTokens is 3072.*give model.additionalConfig"):
        arguments_of(renders, {"model": {"maxNumBatchedTokens": 3072}})


def test_what_vllm_neuron_cannot_split_is_refused(renders: Renders) -> None:
    """vllm-neuron/docs/design/parallelism/tensor_parallelism.md and the recipes, which list no pipeline parallelism."""
    with pytest.raises(HelmError, match="8192 tokens, which 48 cores"):
        arguments_of(renders, {"model": {"tensorParallelSize": 48}})
    for arguments in (["--pipeline-parallel-size=2"], ["--pipeline_parallel_size", "2"], ["-pp", "2"]):
        with pytest.raises(HelmError, match=r"does not support: use model\.tensorParallelSize"):
            arguments_of(renders, {"model": {"extraArgs": arguments}})


def test_buckets_of_ones_own_are_passed_on_alone(renders: Renders) -> None:
    own = {"neuron_config": {"num_seqs_buckets": [8]}}
    arguments = arguments_of(renders, {"model": {"additionalConfig": own}})
    assert buckets_in(arguments) == own["neuron_config"]
    assert [each for each in arguments if "batched-tokens" in each or "prefix" in each] == []
    nxd = arguments_of(renders, {}, "inf2-dev")
    assert [each for each in nxd if "additional-config" in each or "batched-tokens" in each] == []


def graphs_of(renders: Renders, example: str = DEFAULTS) -> list[Any]:
    """Returns the graphs that the warmer compiles: the arguments of each graph, in the order of their names."""
    values = WARMER.values(example)
    (program,) = [
        body for body in renders.of_values(WARMER, values, newest_helm()) if "graphs.json" in body.get("data", {})
    ]
    return [sorted(each["args"]) for each in json.loads(program["data"]["graphs.json"])]


def shaping(arguments: list[str]) -> list[str]:
    return sorted(each for each in arguments[2:] if not each.startswith(NOT_OF_THE_GRAPHS))


def test_the_warmer_compiles_by_default_what_the_server_asks_for_by_default(renders: Renders) -> None:
    assert graphs_of(renders) == [shaping(arguments_of(renders, {}))]


def test_a_server_that_must_not_compile_has_a_warmer_of_the_same_graphs(renders: Renders) -> None:
    """Another parallelism is another key of the cache, and the server would end at its start again and again."""
    strict = [each for each in SERVING.examples if SERVING.values(each).get("precompiled", {}).get("required")]
    assert strict
    for example in strict:
        cache = SERVING.values(example)["compileCache"]
        warmers = [each for each in WARMER.examples if WARMER.values(each)["compileCache"] == cache]
        compiled = [graph for each in warmers for graph in graphs_of(renders, each)]
        assert shaping(arguments_of(renders, {}, example)) in compiled


def made_for(warms: Mapping[str, Any], serves: Mapping[str, Any]) -> bool:
    """Whether a warmer fills the folder that this server reads."""
    filled, read = warms["compileCache"], serves.get("compileCache", {})
    return serves["engine"] == "vllm" and all(filled[key] == read.get(key, "") for key in ("url", "claim"))


@pytest.mark.parametrize("example", [each for each in WARMER.examples if each.startswith("vllm")])
def test_a_warmer_of_a_served_model_has_image_compiler_and_graphs_of_its_server(example: str, renders: Renders) -> None:
    """Release, parallelism and buckets are parts of the cache's keys: with another one its graphs are never used."""
    warms = WARMER.values(example)
    names = {graph["name"] for graph in warms["graphs"]}
    servers = [each for each in SERVING.examples if made_for(warms, SERVING.values(each))]
    served = [each for each in servers if SERVING.values(each)["model"]["name"] in names]
    assert served
    for server in served:
        serves = SERVING.values(server)
        assert warms["image"] == serves["image"]
        lnc, family = serves["machine"]["logicalNcConfig"], serves["machine"]["instanceType"].split(".")[0]
        compiler = {**serves["compiler"], "target": family, "logicalNcConfig": lnc}
        assert {**warms["compiler"], "workers": None} == {**compiler, "workers": None}
        assert shaping(arguments_of(renders, {}, server)) in graphs_of(renders, example)


def test_every_example_with_a_cache_in_s3_has_a_warmer(renders: Renders) -> None:
    """A server with engine vllm only reads it: without a warmer every start compiles."""
    readers = [each for each in SERVING.examples if SERVING.values(each).get("compileCache", {}).get("url")]
    for example in (each for each in readers if SERVING.values(each)["engine"] == "vllm"):
        values = SERVING.values(example)
        warmers = [each for each in WARMER.examples if made_for(WARMER.values(each), values)]
        compiled = [graph for each in warmers for graph in graphs_of(renders, each)]
        assert shaping(arguments_of(renders, {}, example)) in compiled, example


def test_no_example_has_several_copies_in_one_engine() -> None:
    assert {SERVING.values(each)["model"]["dataParallelSize"] for each in SERVING.examples} == {1}


def test_weights_through_mountpoint_have_one_cache_for_a_node(renders: Renders) -> None:
    """Pods of one volume, account and mount options share a mount: docs/MOUNTPOINT_POD_SHARING.md of the driver."""
    objects = rendered(renders, {}, "trn2-mountpoint-four-replicas")
    volume, claim = objects["PersistentVolume"], objects["PersistentVolumeClaim"]
    source = volume["spec"]["csi"]
    assert (source["driver"], source["volumeAttributes"]["bucketName"]) == ("s3.csi.aws.com", "example-models")
    assert source["volumeAttributes"]["cacheEmptyDirSizeLimit"] == "100Gi"
    options = volume["spec"]["mountOptions"]
    assert {"read-only", "uid=1000", "prefix llama-3.3-70b-instruct-fp8/", "maximum-throughput-gbps 25"} < set(options)
    assert volume["spec"]["claimRef"] == {"namespace": NAMESPACE, "name": claim["metadata"]["name"]}
    assert claim["spec"]["volumeName"] == volume["metadata"]["name"] == source["volumeHandle"]
    pod = objects["Deployment"]["spec"]["template"]["spec"]
    claims = [each["persistentVolumeClaim"]["claimName"] for each in pod["volumes"] if "persistentVolumeClaim" in each]
    assert claims == [claim["metadata"]["name"]]
    assert [each["name"] for each in pod["initContainers"]] == ["copy-compile-cache"]


def test_another_place_of_the_weights_is_another_volume(renders: Renders) -> None:
    """The source of a PersistentVolume cannot be changed."""

    def name(**weights: Any) -> str:
        objects = rendered(renders, {"weights": weights}, "trn2-mountpoint-four-replicas")
        return str(objects["PersistentVolume"]["metadata"]["name"])

    assert name() == name()
    assert name() != name(url="s3://example-models")
    root = rendered(renders, {"weights": {"url": "s3://example-models"}}, "trn2-mountpoint-four-replicas")
    assert [each for each in root["PersistentVolume"]["spec"]["mountOptions"] if "prefix" in each] == []


def test_a_copy_from_s3_uses_what_the_pod_has_anyway(renders: Renders) -> None:
    """The pod's request is the largest of an init container and the sum of the others."""
    objects = rendered(renders, {"weights": {"gigabitsPerSecond": 50}}, "trn2-s3-autoscaled")
    pod = objects["Deployment"]["spec"]["template"]["spec"]
    (server,) = pod["containers"]
    for copy in pod["initContainers"]:
        assert copy["resources"]["requests"]["cpu"] == server["resources"]["requests"]["cpu"]
        assert copy["resources"]["limits"]["memory"] == "8Gi"
    assert "preferred_transfer_client = crt\n  target_bandwidth = 50Gb/s" in objects["ConfigMap"]["data"]["config"]


@pytest.mark.parametrize("crt_fails", [False, True])
def test_what_the_fast_client_does_not_copy_the_usual_one_does(
    crt_fails: bool, tmp_path: Path, renders: Renders
) -> None:
    """It does not follow a bucket to another Region. Run with a program in the place of the AWS CLI."""
    pod = pod_of(renders, {}, "trn2-s3-autoscaled")
    copy = pod["initContainers"][0]
    log, program = tmp_path / "log", tmp_path / "aws"
    program.write_text(
        f'#!/bin/sh\necho "$AWS_CONFIG_FILE $*" >> {log}\n'
        f'[ "$AWS_CONFIG_FILE" != /etc/aws/config ] || exit {int(crt_fails)}\n'
    )
    program.chmod(0o755)
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", **{each["name"]: each["value"] for each in copy["env"]}}
    subprocess.run([*copy["command"], *copy["args"]], env=environment, check=True)
    sync = "s3 sync --only-show-errors --exclude *.lock s3://example-models/llama-3.3-70b-instruct-fp8 /models"
    assert log.read_text().splitlines() == [f"/etc/aws/config {sync}", *([f"/dev/null {sync}"] if crt_fails else [])]


def test_what_a_server_compiled_is_shared_out_of_the_memory_of_its_pod(renders: Renders) -> None:
    pod = pod_of(renders, {}, "trn2-four-replicas-on-a-node")
    server, sharing = pod["containers"]
    memory = [int(each["resources"]["limits"]["memory"].removesuffix("Mi")) for each in (server, sharing)]
    assert sum(memory) == 440 * 1024
    assert sharing["lifecycle"] == server["lifecycle"]
    (folder,) = [each["value"] for each in server["env"] if each["name"] == "NEURON_LIBTORCH_REMOTE_CACHE"]
    assert f"--shared={folder}" in sharing["args"]
    (alone,) = pod_of(renders, {"compileCache": {"share": False}}, "trn2-four-replicas-on-a-node")["containers"]
    assert alone["resources"]["limits"]["memory"] == "440Gi"


def test_only_the_leader_of_several_nodes_shares(renders: Renders) -> None:
    """Workers answer no /health."""
    template = rendered(renders, {}, "trn2-two-nodes-a-replica")["LeaderWorkerSet"]["spec"]["leaderWorkerTemplate"]
    leader, worker = (template[role]["spec"]["containers"] for role in ("leaderTemplate", "workerTemplate"))
    assert [each["name"] for each in leader] == ["vllm", "share-cache"]
    assert [each["name"] for each in worker] == ["vllm"]


@pytest.mark.parametrize(
    ("cache", "url"),
    [
        ({"url": "s3://graphs/c", "claim": ""}, "s3://graphs/c"),
        ({"url": "", "claim": "c"}, "/var/cache/neuron"),
        ({"url": "", "claim": ""}, "/scratch/neuron-compile-cache"),
    ],
)
def test_the_older_engine_compiles_again_what_failed(cache: Mapping[str, str], url: str, renders: Renders) -> None:
    """Its cache is the persistent one, which keeps failures."""
    given = {"engine": "vllm_nxd", "compileCache": cache}
    environment = environment_of(renders, given)
    assert environment["NEURON_COMPILE_CACHE_URL"] == url
    assert environment["NEURON_CC_FLAGS"] == "--retry_failed_compilation"
    assert environment_of(renders, {**given, "env": {"NEURON_CC_FLAGS": "-O1"}})["NEURON_CC_FLAGS"] == "-O1"


def notes_of(renders: Renders, given: Mapping[str, Any], example: str = DEFAULTS) -> str:
    values = merged(SERVING.values(example), given)
    return renders.helm(newest_helm()).notes(SERVING.folder, "llm", NAMESPACE, values)


def test_the_notes_tell_how_long_a_start_takes_and_what_an_update_does(renders: Renders) -> None:
    alone = notes_of(renders, {"startup": {"compileMinutes": 40, "loadMinutes": 15}})
    assert "at most 15 minutes with compiled graphs, 55 without; before it the node pulls the image.\n" in alone
    assert "An update ends the only replica" in alone
    two = notes_of(renders, {"queue": {"name": "serving"}}, "trn2-s3-autoscaled")
    assert "pulls the image and copies 80 GiB." in two
    assert "An update ends the only replica" not in two
    assert "in queue serving Kueue deletes a pod" in two


def waits(renders: Renders, weights: Mapping[str, Any]) -> list[Any]:
    return [each["args"] for each in pod_of(renders, {"weights": weights}).get("initContainers", ())]


def test_a_pod_waits_for_the_manifest_before_anything_is_copied(renders: Renders) -> None:
    assert waits(renders, {}) == []
    assert waits(renders, {"waitMinutes": 5, "path": "m"})[0][1:] == [
        "5", "/models/m/manifest.json", "test", "-f", "/models/m/manifest.json",
    ]  # fmt: skip
    from_s3 = {"waitMinutes": 5, "source": "s3", "url": "s3://models/m/", "path": "", "sizeGib": 9}
    first, second = waits(renders, from_s3)
    assert first[1:] == ["5", "s3://models/m/manifest.json", "aws", "s3", "ls", "s3://models/m/manifest.json"]
    assert "sync" in second


def test_a_missing_manifest_is_named_and_one_that_is_there_lets_the_pod_start(renders: Renders, tmp_path: Path) -> None:
    (program, *_) = waits(renders, {"waitMinutes": 1, "path": "m"})[0]
    manifest = str(tmp_path / "manifest.json")
    command = ["sh", "-c", program, "0", manifest, "test", "-f", manifest]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert f"{manifest} does not exist" in ran.stdout
    Path(manifest).touch()
    assert subprocess.run(command, check=False).returncode == 0


def test_the_volume_of_a_bucket_is_the_same_however_long_pods_wait(renders: Renders) -> None:
    """It cannot be changed, so another name would be another volume."""
    names = {
        rendered(renders, {"weights": {"waitMinutes": minutes}}, "trn2-mountpoint-four-replicas")["PersistentVolume"][
            "metadata"
        ]["name"]
        for minutes in (0, 5)
    }
    assert len(names) == 1


INF1 = "inf1-torchserve"


def test_torchserve_has_a_worker_for_each_core_and_its_own_health(renders: Renders) -> None:
    pod = pod_of(renders, {}, INF1)
    (server,) = pod["containers"]
    environment = {each["name"]: each["value"] for each in server["env"]}
    assert server["command"][0] == "torchserve"
    assert "args" not in server
    assert (environment["TS_DEFAULT_WORKERS_PER_MODEL"], environment["NEURON_RT_NUM_CORES"]) == ("4", "1")
    assert environment["TS_INFERENCE_ADDRESS"] == "http://0.0.0.0:8000"
    assert server["startupProbe"]["httpGet"]["path"] == server["livenessProbe"]["httpGet"]["path"] == "/ping"
    assert server["startupProbe"]["failureThreshold"] == 66, "nothing compiles: 10 minutes of loading, and a tenth"
    assert not [each for each in environment if each.startswith(("VLLM", "NEURON_CC"))]


def test_the_version_of_the_objects_is_that_of_the_image(renders: Renders) -> None:
    for given in ({}, {"image": {"tag": "1.13.1-neuron-py310", "digest": ""}}):
        deployment = rendered(renders, given, INF1)["Deployment"]
        version = deployment["metadata"]["labels"]["app.kubernetes.io/version"]
        (server,) = deployment["spec"]["template"]["spec"]["containers"]
        assert server["image"].endswith(f":{version}")


def test_a_variable_of_the_user_takes_the_place_of_the_charts(renders: Renders) -> None:
    given = {"env": {"TS_DEFAULT_WORKERS_PER_MODEL": "2"}}
    names = [each["name"] for each in pod_of(renders, given, INF1)["containers"][0]["env"]]
    assert names.count("TS_DEFAULT_WORKERS_PER_MODEL") == 1


def test_a_server_of_the_user_is_told_its_port_and_its_models(renders: Renders) -> None:
    given = {"server": {"command": ["python3", "-m", "mine"], "healthPath": "/ready"}}
    (server,) = pod_of(renders, given, INF1)["containers"]
    environment = {each["name"]: each["value"] for each in server["env"]}
    assert server["command"] == ["python3", "-m", "mine"]
    assert (environment["PORT"], environment["MODELS"]) == ("8000", "/models")
    assert server["readinessProbe"]["httpGet"]["path"] == "/ready"
    assert not [each for each in environment if each.startswith("TS_")]


@pytest.mark.parametrize(
    ("given", "example", "text"),
    [
        ({"apiKeySecret": {"name": "k"}}, INF1, "apiKeySecret.name is k and engine is torchserve"),
        ({"podMonitor": {"enabled": True}}, INF1, "podMonitor.enabled is true and engine is torchserve"),
        ({"autoscaling": {"enabled": True}}, INF1, "give autoscaling.query"),
        ({"compileCache": {"claim": "c"}}, INF1, "models are compiled before"),
        ({"server": {"command": ["a"]}}, DEFAULTS, "server.healthPath is set and engine is vllm"),
    ],
)
def test_what_vllm_alone_has_is_refused_for_torchserve(
    given: Mapping[str, Any], example: str, text: str, renders: Renders
) -> None:
    with pytest.raises(HelmError, match=text):
        rendered(renders, given, example)


CACHED = "trn2-node-cache-four-replicas"
HOST_PATH = {"weights": {"nodeCache": {"claim": "", "hostPath": "/mnt/k8s-disks/0/weights"}}}


def test_the_copy_of_a_node_is_what_the_server_reads_and_takes_no_disk_of_the_pod(renders: Renders) -> None:
    pod = pod_of(renders, {}, CACHED)
    (copy,) = (each for each in pod["initContainers"] if each["name"] == "copy-weights")
    (name,) = (each.removeprefix("--name=") for each in copy["args"] if each.startswith("--name="))
    server = pod["containers"][0]
    (mount,) = (each for each in server["volumeMounts"] if each["name"] == "weights")
    assert mount == {"name": "weights", "mountPath": "/models", "readOnly": True, "subPath": name}
    disk = server["resources"]["requests"]["ephemeral-storage"]
    assert disk == f"{1 + SERVING.values(CACHED)['machine']['scratchGib']}Gi"
    other = pod_of(renders, {"weights": {"url": "s3://example-models/another"}}, CACHED)
    assert f"--name={name}" not in other["initContainers"][0]["args"]


def test_a_folder_of_the_node_needs_a_privileged_namespace_and_one_container_as_root(renders: Renders) -> None:
    objects = renders.of_values(SERVING, merged(SERVING.values(CACHED), HOST_PATH), newest_helm())
    levels = {
        level: {each.id for each in check_manifests(objects, source="serving", namespace=NAMESPACE, pod_security=level)}
        for level in ("restricted", "baseline", "privileged")
    }
    assert levels["privileged"] == set()
    assert levels["baseline"]
    assert levels["restricted"] >= levels["baseline"]
    pod = pod_of(renders, HOST_PATH, CACHED)
    users = {each["name"]: each["securityContext"].get("runAsUser") for each in pod["initContainers"]}
    assert users == {"make-node-cache": 0, "copy-weights": None, "copy-compile-cache": None}


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"hostPath": "/etc/kubernetes"}, "hostPath"),
        ({"hostPath": "/mnt"}, "hostPath"),
        ({"hostPath": "/mnt/a/../b"}, "hostPath"),
        ({"claim": "a", "hostPath": "/mnt/disks/weights"}, "are both set: give one"),
    ],
)
def test_a_node_cache_that_is_none(given: dict[str, str], text: str, renders: Renders) -> None:
    with pytest.raises(HelmError, match=text):
        rendered(renders, {"weights": {"nodeCache": given}}, CACHED)
    with pytest.raises(HelmError, match="only copies from s3 are kept"):
        rendered(renders, {"weights": {"source": "mountpoint"}}, CACHED)
