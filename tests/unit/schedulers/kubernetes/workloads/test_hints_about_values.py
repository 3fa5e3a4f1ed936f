"""Each hint about what is asked of a workload is followed: asked so, nothing is said of it, and no error comes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest
from hint_commands import command_error, commands_in

from neuron_cluster.errors import InvalidEnvironment
from neuron_cluster.findings.finding import Finding
from tests.every_case import every_case
from tests.unit.schedulers.kubernetes.conftest import Choose

from .test_errors import A_SECOND_GROUP, SYSTEM

Edits = Mapping[str, Any]
WorkloadOptions = Mapping[str, Any]
QUEUE = {"eks.node_groups.1.queue": "research"}
NO_QUEUE = {"eks.node_groups.1.queue": None}
ACCESS = {"eks.namespaces": [{"name": "default", "bucket_access": [{"service_account": "trainer", "access": "write"}]}]}
NO_NAT = {"network.nat": "none", "eks.image_cache": True}
GRAPHS = [{"name": "a", "kind": "parallel_compile", "args": ["torchrun", "train.py"]}]
PROGRAM = {"trainer": {"program": ["train.py"]}}
TITAN = {"image": {"repository": "111122223333.dkr.ecr.us-east-2.amazonaws.com/titan", "tag": "1"}}
JAX = {"repository": "public.ecr.aws/neuron/jax-training-neuronx", "tag": "0.10.0-neuronx-py313-sdk2.32.0-ubuntu24.04"}
MIRROR = "111122223333.dkr.ecr.us-west-2.amazonaws.com"
CLAIM = {"claim": "lustre"}


def given(**values: Any) -> WorkloadOptions:
    return {"given": values}


def with_claim(**values: Any) -> WorkloadOptions:
    return {**CLAIM, "given": values}


def store_in(prefix: str) -> WorkloadOptions:
    url = f"s3://train-trn2-storage-checkpoints620e2f20-abcdefghijkl/{prefix}"
    return given(serviceAccount={"create": False, "name": "trainer"}, store={"url": url})


Side = tuple[str, str, Edits | None, WorkloadOptions]
"""Chart, environment, edits of it, and what is asked."""

WAYS: list[tuple[str, str, str, Side, list[Side]]] = [
    # id, path, a part of the hint, what is asked, and each way that the hint has
    ("E9202", "--group", "add a node group with a Neuron instance type to eks.node_groups, or name another environment",
     ("collectives-check", "dev-inf2", {"eks.node_groups": [SYSTEM]}, {}),
     [("collectives-check", "dev-inf2", None, {}), ("collectives-check", "train-trn2", None, {})]),
    ("E9202", "--group", "Neuron groups: trn2", ("collectives-check", "train-trn2", None, {"group": "system"}),
     [("collectives-check", "train-trn2", None, {"group": "trn2"})]),
    ("E9202", "--group", "did you mean trn2?", ("collectives-check", "train-trn2", None, {"group": "trn"}),
     [("collectives-check", "train-trn2", None, {"group": "trn2"})]),
    ("E9203", "--group", "name one: --group left", ("collectives-check", "dev-inf2", A_SECOND_GROUP, {}),
     [("collectives-check", "dev-inf2", A_SECOND_GROUP, {"group": "left"})]),
    ("E9204", "eks.addons.neuron_device_plugin",
     "set eks.addons.neuron_device_plugin: true, or neuron_dra_driver: true",
     ("collectives-check", "dev-inf2", {"eks.addons": {"neuron_device_plugin": False}}, {}),
     [("collectives-check", "dev-inf2", {"eks.addons": {"neuron_device_plugin": True}}, {})]),
    ("E9204", "machine.deviceManagement", "leave it out, or write dra",
     ("neuron-training", "train-trn2u", None, with_claim(machine={"deviceManagement": "devicePlugin"})),
     [("neuron-training", "train-trn2u", None, with_claim()),
      ("neuron-training", "train-trn2u", None, with_claim(machine={"deviceManagement": "dra"}))]),
    ("E9205", "--nodes", "remove --nodes", ("neuron-explorer", "train-trn2", None, {"nodes": 2, **CLAIM}),
     [("neuron-explorer", "train-trn2", None, CLAIM)]),
    ("E9205", "nodes", "request 4, or raise count.max of trn2 to 5",
     ("collectives-check", "train-trn2", None, {"nodes": 5}),
     [("collectives-check", "train-trn2", None, {"nodes": 4}),
      ("collectives-check", "train-trn2", {"eks.node_groups.1.count.max": 5}, {"nodes": 5})]),
    ("E9205", "nodes", "set eks.addons.efa_device_plugin: true, or eks.installed_otherwise: [efa_device_plugin]",
     ("collectives-check", "train-trn2", {"eks.addons": {"efa_device_plugin": False}}, {"nodes": 2}),
     [("collectives-check", "train-trn2", {"eks.addons": {"efa_device_plugin": True}}, {"nodes": 2}),
      ("collectives-check", "train-trn2", {"eks.installed_otherwise": ["efa_device_plugin"]}, {"nodes": 2})]),
    ("E9205", "nodes", "use one node", ("collectives-check", "dev-inf2", None, {"nodes": 2}),
     [("collectives-check", "dev-inf2", None, {"nodes": 1})]),
    ("E9206", "queue.name", "did you mean research?", ("collectives-check", "train-trn2", QUEUE, {"queue": "reserch"}),
     [("collectives-check", "train-trn2", QUEUE, {"queue": "research"})]),
    ("E9206", "queue.name", "queues: research; or leave the queue out",
     ("collectives-check", "train-trn2", QUEUE, {"queue": "x"}), [("collectives-check", "train-trn2", QUEUE, {})]),
    ("E9206", "queue.name", "leave the queue out, or set queue: x of a group in eks.node_groups",
     ("collectives-check", "train-trn2", NO_QUEUE, {"queue": "x"}),
     [("collectives-check", "train-trn2", NO_QUEUE, {}),
      ("collectives-check", "train-trn2", {"eks.node_groups.1.queue": "x"}, {"queue": "x"})]),
    ("E9206", "queue.name", "name --group right, or queue l",
     ("collectives-check", "dev-inf2", A_SECOND_GROUP, {"queue": "right", "group": "left"}),
     [("collectives-check", "dev-inf2", A_SECOND_GROUP, {"queue": "right", "group": "right"}),
      ("collectives-check", "dev-inf2", A_SECOND_GROUP, {"queue": "l", "group": "left"})]),
    ("E9206", "queue.name", "set eks.addons.kueue: true, or leave the queue out",
     ("collectives-check", "train-trn2", {**QUEUE, "eks.addons": {"kueue": False}}, {"queue": "research"}),
     [("collectives-check", "train-trn2", {**QUEUE, "eks.addons": {"kueue": True}}, {"queue": "research"}),
      ("collectives-check", "train-trn2", {**QUEUE, "eks.addons": {"kueue": False}}, {})]),
    ("E9207", "--front-end", "known: vllm, vllm_nxd",
     ("neuron-serving", "train-trn2", None, {**CLAIM, "front_end": "tgi"}),
     [("neuron-serving", "train-trn2", None, {**CLAIM, "front_end": "vllm"})]),
    ("E9207", "--front-end", "on it run: vllm_nxd",
     ("neuron-serving", "train-trn1", None, {**CLAIM, "front_end": "vllm"}),
     [("neuron-serving", "train-trn1", None, {**CLAIM, "front_end": "vllm_nxd"})]),
    ("E9207", "--front-end", "or use another environment; `neuron-cluster workload list serve-inf1`",
     ("neuron-training", "serve-inf1", None, CLAIM), [("neuron-training", "train-trn2", None, CLAIM)]),
    ("E9207", "image.repository", "build one from charts/neuron-training/images/torchtitan/Dockerfile and set it",
     ("neuron-training", "train-trn2", None, {**with_claim(**PROGRAM), "front_end": "torchtitan"}),
     [("neuron-training", "train-trn2", None, {**with_claim(**PROGRAM, **TITAN), "front_end": "torchtitan"})]),
    ("E9208", "image.repository", "mirror it to ECR and use --set image.repository=",
     ("collectives-check", "dev-inf2", NO_NAT, given(image={"repository": "quay.example.com/x", "tag": "1"})),
     [("collectives-check", "dev-inf2", NO_NAT, given(image={"repository": f"{MIRROR}/x", "tag": "1"}))]),
    ("E9208", "image.repository", f"pull it through the cache, --set image.repository={MIRROR}/dev-inf2/ecr-public/",
     ("collectives-check", "dev-inf2", NO_NAT, given(image={"repository": "public.ecr.aws/mine/image", "tag": "1"})),
     [("collectives-check", "dev-inf2", NO_NAT,
       given(image={"repository": f"{MIRROR}/dev-inf2/ecr-public/mine/image", "tag": "1"}))]),
    ("E9212", "weights", "give --claim lustre, a", ("neuron-serving", "train-trn2", None, {}),
     [("neuron-serving", "train-trn2", None, CLAIM),
      ("neuron-serving", "train-trn2", None, given(weights={"claim": "lustre"}))]),
    ("E9212", "profiles", "give --bucket NAME of an S3 bucket", ("neuron-explorer", "train-trn2", None, {}),
     [("neuron-explorer", "train-trn2", None, {"bucket": "runs"}), ("neuron-explorer", "train-trn2", None, CLAIM)]),
    ("E9212", "graphs", "set it by --values FILE, as in charts/compile-cache-warmer/examples",
     ("compile-cache-warmer", "train-trn1", None, CLAIM),
     [("compile-cache-warmer", "train-trn1", None, with_claim(graphs=GRAPHS))]),
    ("E9213", "--bucket", "3 to 63 lower-case letters, digits, dots, hyphens, without s3://",
     ("neuron-training", "train-trn2", None, {"bucket": "s3://runs"}),
     [("neuron-training", "train-trn2", None, {"bucket": "runs"})]),
    ("W9215", "checkpoints", "give --claim lustre, a", ("neuron-training", "train-trn2", None, {}),
     [("neuron-training", "train-trn2", None, CLAIM),
      ("neuron-training", "train-trn2", None, given(checkpoints={"claim": "lustre"}))]),
    ("W9279", "store.url", "set store.url below teams/default/, or serviceAccount.name",
     ("model-store", "train-trn2", ACCESS, store_in("golden")),
     [("model-store", "train-trn2", ACCESS, store_in("teams/default/models"))]),
    ("E9221", "--claim", "leave --claim out", ("collectives-check", "train-trn2", None, CLAIM),
     [("collectives-check", "train-trn2", None, {})]),
    ("E9221", "--bucket", "leave --bucket out", ("collectives-check", "train-trn2", None, {"bucket": "runs"}),
     [("collectives-check", "train-trn2", None, {})]),
    ("E9223", "machine.logicalNcConfig", "write 1 or 2, or leave it out",
     ("neuron-training", "train-trn2", None, with_claim(machine={"logicalNcConfig": 3})),
     [("neuron-training", "train-trn2", None, with_claim(machine={"logicalNcConfig": 1})),
      ("neuron-training", "train-trn2", None, with_claim(machine={"logicalNcConfig": 2})),
      ("neuron-training", "train-trn2", None, with_claim())]),
    ("E9223", "machine.neuronCores", "write 4, or leave it out",
     ("neuron-training", "train-trn2", None, with_claim(machine={"neuronDevices": 1, "neuronCores": 99})),
     [("neuron-training", "train-trn2", None, with_claim(machine={"neuronDevices": 1, "neuronCores": 4})),
      ("neuron-training", "train-trn2", None, with_claim(machine={"neuronDevices": 1}))]),
    ("E9224", "ultraServer.size", "write 2 or 4, or 0 for none",
     ("neuron-training", "train-trn2u", None, with_claim(ultraServer={"size": 3})),
     [("neuron-training", "train-trn2u", None, with_claim(ultraServer={"size": size})) for size in (2, 4, 0)]),
    ("E9224", "ultraServer.size", "leave it out, or name a group of another type",
     ("neuron-training", "train-trn2", None, with_claim(ultraServer={"size": 2})),
     [("neuron-training", "train-trn2", None, CLAIM),
      ("neuron-training", "train-trn2u", None, with_claim(ultraServer={"size": 2}))]),
    ("W9230", "checkpoints.folder", "leave it out, and it is checkpoints/default; or set a folder below",
     ("neuron-training", "train-trn2", None, with_claim(checkpoints={"folder": "scratch"})),
     [("neuron-training", "train-trn2", None, CLAIM),
      ("neuron-training", "train-trn2", None, with_claim(checkpoints={"folder": "checkpoints/mine"}))]),
    ("E9241", "image.tag", "--set image.tag=",
     ("neuron-serving", "train-trn2", None, with_claim(image={"tag": "9.9.9"})), []),
    ("E9242", "image.tag", "--set image.repository=",
     ("neuron-serving", "train-trn2", None, with_claim(image=JAX)), []),
    ("E9243", "image.tag", "set ami_release of trn1 to ",
     ("neuron-training", "train-trn1", {"eks.node_groups.1.ami_release": "1.35.6-20260714"},
      {**with_claim(**PROGRAM), "front_end": "nxd"}), []),
    ("W9244", "image.repository", "look up aws-neuronx-runtime-lib in it",
     ("neuron-serving", "train-trn2", None, with_claim(**TITAN)), [("neuron-serving", "train-trn2", None, CLAIM)]),
    ("W9245", "weights.path", "set the folder too: --set weights.path=FOLDER; an empty one (weights.path=)",
     ("neuron-serving", "train-trn2", None, with_claim(model={"name": "mine"})),
     [("neuron-serving", "train-trn2", None, with_claim(model={"name": "mine"}, weights={"path": path}))
      for path in ("mine", "")]),
    ("W9251", "queue.name", "use a node group without a queue for servers, or set --queue research",
     ("neuron-serving", "train-trn2", QUEUE, CLAIM),
     [("neuron-serving", "train-trn2", NO_QUEUE, CLAIM),
      ("neuron-serving", "train-trn2", QUEUE, {**CLAIM, "queue": "research"})]),
    ("W9252", "replicas", "set replicas=2, or rollout.maxSurge=1", ("neuron-serving", "train-trn2", None, CLAIM),
     [("neuron-serving", "train-trn2", None, with_claim(replicas=2)),
      ("neuron-serving", "train-trn2", None, with_claim(rollout={"maxSurge": 1}))]),
    ("W9252", "autoscaling.minReplicas", "set autoscaling.minReplicas=2",
     ("neuron-serving", "train-trn2", None, with_claim(replicas=2, autoscaling={"enabled": True})),
     [("neuron-serving", "train-trn2", None, with_claim(autoscaling={"enabled": True, "minReplicas": 2}))]),
    ("W9253", "model.dataParallelSize",
     "set model.dataParallelSize=1 and replicas=4, each with machine.neuronDevices=4",
     ("neuron-serving", "train-trn2", None, with_claim(model={"dataParallelSize": 4, "tensorParallelSize": 16})),
     [("neuron-serving", "train-trn2", None,
       with_claim(model={"dataParallelSize": 1}, replicas=4, machine={"neuronDevices": 4}))]),
    ("W9266", "model.tensorParallelSize", "set model.tensorParallelSize to 1, 2, 8, 16, 32",
     ("neuron-serving", "train-trn1", None, with_claim(model={"tensorParallelSize": 4})),
     [("neuron-serving", "train-trn1", None, with_claim(model={"tensorParallelSize": size})) for size in (16, 32)]),
    ("E9254", "download.endpoint", "set download.endpoint to a mirror of it in the network",
     ("model-store", "dev-inf2", NO_NAT, CLAIM),
     [("model-store", "dev-inf2", NO_NAT, with_claim(download={"endpoint": "https://hub.example.internal"})),
      ("model-store", "dev-inf2", NO_NAT, with_claim(download={"source": "s3", "url": "s3://models/tiny"}))]),
]  # fmt: skip


def found_in(choose: Choose, side: Side) -> tuple[Finding, ...]:
    chart, environment, edits, wish = side
    try:
        return choose(chart, environment, edits, **wish).findings
    except InvalidEnvironment as refusal:
        return tuple(refusal.findings)


@pytest.mark.hints(
    "E9202",
    "E9203",
    "E9204",
    "E9205",
    "E9206",
    "E9207",
    "E9208",
    "E9212",
    "W9215",
    "E9221",
    "E9223",
    "E9224",
    "W9230",
    "E9241",
    "E9242",
    "E9243",
    "W9244",
    "W9245",
    "W9251",
    "W9252",
    "W9253",
    "E9254",
    "W9266",
    "W9279",
)
@every_case("finding_id, path, hint, asked, ways", WAYS)
def test_what_is_asked_as_the_hint_says_is_taken(
    finding_id: str, path: str, hint: str, asked: Side, ways: list[Side], choose: Choose
) -> None:
    before = found_in(choose, asked)
    found = [each for each in before if (each.id, each.location.path) == (finding_id, path)]
    assert [each for each in found if hint in each.hint], [(e.id, e.location.path, e.hint) for e in before]
    assert [flaw for each in found for line in commands_in(each.hint) if (flaw := command_error(line))] == []
    for way in ways or [set_in_hint(asked, found[0].hint)]:
        after = found_in(choose, way)
        assert [each for each in after if (each.id, each.location.path) == (finding_id, path)] == []
        assert [f"{each.id} {each.location.path}: {each.message}" for each in after if each.id.startswith("E")] == []


def set_in_hint(asked: Side, hint: str) -> Side:
    """Returns the request with the values of `--set` in a hint, or with the AMI release that it names."""
    chart, environment, edits, wish = asked
    settings = dict(re.findall(r"--set image\.(\w+)=([^\s;,]+)", hint))
    if settings:
        image = {**wish["given"].get("image", {}), **settings}
        return chart, environment, edits, {**wish, "given": {**wish["given"], "image": image}}
    (release,) = re.findall(r"set ami_release of trn1 to (\S+)", hint)
    return chart, environment, {"eks.node_groups.1.ami_release": release}, wish
