"""model-store: what its programs are told, and what ends the Job at once."""

from __future__ import annotations

import json
import runpy
from collections.abc import Mapping
from typing import Any

import pytest
from bundled_charts import CHARTS, BundledChart
from renders import Renders, newest_helm

from local_kubernetes.model.chart_values import merged
from neuron_cluster.kube.helm import HelmError

pytestmark = pytest.mark.slow
STORE = BundledChart(CHARTS / "model-store")
PROBLEMS = runpy.run_path(str(STORE.folder / "files" / "problem.py"))


def rendered(renders: Renders, example: str, given: Mapping[str, Any] | None = None) -> dict[str, Any]:
    objects = renders.of_values(STORE, merged(STORE.values(example), given or {}), newest_helm())
    return {body["kind"]: body for body in objects if body["metadata"]["name"][-8:] != "-scripts"}


def task(found: Mapping[str, Any]) -> Any:
    return json.loads(found["ConfigMap"]["data"]["task.json"])


def container(found: Mapping[str, Any]) -> Any:
    (only,) = found["Job"]["spec"]["template"]["spec"]["containers"]
    return only


def test_the_job_ends_at_once_for_what_no_other_pod_can_do_better(renders: Renders) -> None:
    codes = {value for name, value in PROBLEMS.items() if name.isupper() and isinstance(value, int)}
    for example in ("download-to-lustre", "convert"):
        found = rendered(renders, example)
        ignore, fail = found["Job"]["spec"]["podFailurePolicy"]["rules"]
        assert ignore["action"] == "Ignore"
        assert set(fail["onExitCodes"]["values"]) == codes - {PROBLEMS["RETRY"]}
        assert fail["onExitCodes"]["containerName"] == container(found)["name"]


def test_a_download_has_its_token_from_the_secret_alone(renders: Renders) -> None:
    found = rendered(renders, "download-to-lustre")
    (token,) = [each for each in container(found)["env"] if each["name"] == "HF_TOKEN"]
    assert token["valueFrom"] == {"secretKeyRef": {"name": "hugging-face", "key": "token"}}
    assert "tokenSecret" not in task(found)["download"]
    public = rendered(renders, "download-to-s3")
    assert "HF_TOKEN" not in {each["name"] for each in container(public)["env"]}


def test_places_are_a_folder_of_the_claim_or_a_prefix(renders: Renders) -> None:
    on_claim = rendered(renders, "download-to-lustre")
    assert task(on_claim)["output"] == "/store/checkpoints/default/models/llama-3.3-70b-instruct"
    assert {"name": "store", "mountPath": "/store"} in container(on_claim)["volumeMounts"]
    named = rendered(renders, "download-to-lustre", {"output": "", "download": {"repositoryType": "dataset"}})
    assert task(named)["output"] == "/store/checkpoints/default/datasets/meta-llama/Llama-3.3-70B-Instruct"
    in_bucket = rendered(renders, "download-to-s3")
    assert task(in_bucket)["output"] == "s3://example-models/models/qwen3-8b"
    assert "store" not in {each["name"] for each in container(in_bucket)["volumeMounts"]}


def test_every_program_of_the_chart_is_mounted(renders: Renders) -> None:
    data = rendered(renders, "download-to-lustre")["ConfigMap"]["data"]
    files = {path.name: path.read_text() for path in (STORE.folder / "files").glob("*.py")}
    assert {name: data[name].rstrip("\n") for name in files} == {name: files[name].rstrip("\n") for name in files}


def test_tools_are_called_with_input_output_and_arguments(renders: Renders) -> None:
    zero = task(rendered(renders, "consolidate"))
    assert zero["command"] == [
        "nxd_convert_zero_checkpoints", "--input_dir={input}", "--output_dir={output}",
        "--convert_to_full", "--num_workers=8",
    ]  # fmt: skip
    assert (zero["input"], zero["marker"]) == ("/store/checkpoints/default/runs/llama3-8b/step-1000", "done")
    assert task(rendered(renders, "convert"))["command"][:2] == ["python3", "-c"]


def test_the_scripts_of_the_user_arrive_as_they_are(renders: Renders) -> None:
    given = {"scripts": {"tokenize_blocks.py": "  indented: {{ no }}\n\n# end"}}
    objects = renders.of_values(STORE, merged(STORE.values("tokenize"), given), newest_helm())
    (scripts,) = [body for body in objects if body["metadata"]["name"].endswith("-scripts")]
    assert scripts["data"] == given["scripts"]


def test_other_values_make_another_job(renders: Renders) -> None:
    first = rendered(renders, "download-to-lustre")["Job"]["metadata"]["name"]
    other = rendered(renders, "download-to-lustre", {"download": {"revision": "v2"}})["Job"]["metadata"]["name"]
    assert first != other


def test_a_drill_runs_once_or_on_a_schedule(renders: Renders) -> None:
    scheduled = rendered(renders, "drill")
    assert "Job" not in scheduled
    assert scheduled["CronJob"]["spec"]["schedule"] == "0 6 * * 1"
    once = rendered(renders, "drill", {"drill": {"schedule": ""}})
    assert scheduled["CronJob"]["spec"]["jobTemplate"]["spec"].keys() == once["Job"]["spec"].keys()
    assert container(once)["securityContext"]["readOnlyRootFilesystem"] is True
    assert task(once) == {
        "job": "drill",
        "source": "/store/checkpoints/default/llama",
        "into": "/store/restore-drill/.checkpoint-drill",
        "waitSeconds": 600,
    }


def test_a_drill_of_a_bucket_restores_to_the_disk_of_the_node(renders: Renders) -> None:
    store = {"claim": "", "url": "s3://runs/checkpoints/", "folder": ""}
    found = task(rendered(renders, "drill", {"store": store, "drill": {"schedule": "", "folder": ""}}))
    assert (found["source"], found["into"]) == ("s3://runs/checkpoints/llama", "/scratch/.checkpoint-drill")


@pytest.mark.parametrize(
    ("example", "given", "says"),
    [
        ("download-to-lustre", {"store": {"claim": ""}}, "store.claim and store.url are both empty"),
        ("download-to-lustre", {"store": {"url": "s3://models"}}, "are both set"),
        ("download-to-lustre", {"download": {"repository": ""}}, "download.repository is empty"),
        ("download-to-lustre", {"download": {"source": "s3"}}, "download.url is empty"),
        ("download-to-lustre", {"download": {"source": "s3"}, "output": ""}, "output is empty"),
        ("consolidate", {"output": ""}, "output is empty"),
        ("download-to-s3", {"download": {"source": "s3", "url": "s3://a-b"}}, "copy with `aws s3 sync`"),
        ("download-to-s3", {"networkPolicy": {"ports": [443]}}, "uses port 8443, which networkPolicy.ports lacks"),
        ("download-to-lustre", {"args": ["--x"]}, "runs no tool"),
        ("consolidate", {"store": {"claim": "", "url": "s3://models"}}, "tools read and write files"),
        ("consolidate", {"input": {"path": ""}}, "input.path is empty"),
        ("consolidate", {"output": "runs/llama3-8b/step-1000"}, "give another output"),
        ("consolidate", {"args": []}, "args is empty"),
        ("drill", {"input": {"path": ""}}, "input.path is empty"),
        ("drill", {"store": {"claim": "", "url": "s3://runs"}}, "drill.folder and store.url are both set"),
        ("drill", {"drill": {"folder": "checkpoints/default/x"}}, "give a folder beside it"),
        ("drill", {"output": "a"}, "keeps nothing"),
        ("tokenize", {"command": []}, "no tool of its own"),
        ("tokenize", {"machine": {"sharedMemoryGib": 200}}, "counts as the pod's memory"),
    ],
)  # fmt: skip
def test_values_that_contradict_are_refused(
    example: str, given: Mapping[str, Any], says: str, renders: Renders
) -> None:
    with pytest.raises(HelmError, match=says.replace(".", r"\.")):
        rendered(renders, example, given)
