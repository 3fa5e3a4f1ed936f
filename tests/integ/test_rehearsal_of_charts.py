"""Each bundled chart other than training, rehearsed once: its own programs end as its README promises."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.cli.main import main
from neuron_cluster.rehearsal import namespaces
from tests.every_case import every_case

pytestmark = pytest.mark.skipif(
    namespaces.why_unsupported() is not None, reason="this machine lets no user create namespaces"
)

ROOT = Path(__file__).parents[2]
SHORT = ("--time", "image_pull=1", "--compile-seconds", "20")


def _outcome(
    capsys: pytest.CaptureFixture[str], chart: str, environment: str, *options: str, project: Path = ROOT
) -> Mapping[str, Any]:
    main(["workload", "rehearse", chart, environment, "--project", str(project), "--format", "json", *SHORT, *options])
    found: Mapping[str, Any] = json.loads(capsys.readouterr().out)
    return found


def _reasons(outcome: Mapping[str, Any], source: str) -> Sequence[str]:
    return [event["reason"] for event in outcome["events"] if event["source"] == source]


@pytest.mark.slow
def test_the_warmer_compiles_each_graph_once_and_shares_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    outcome = _outcome(capsys, "compile-cache-warmer", "train-trn2", "--claim", "lustre", "--keep", str(kept))
    assert (outcome["ended"], outcome["progress"]) == ("Completed", None)
    assert _reasons(outcome, "program") == ["Compiling", "Loaded"]
    assert outcome["replaced_programs"] == ["libtorch_neuronx_lite", "vllm"]
    entries = [each for each in (kept / "claims" / "lustre").rglob("*") if len(each.name) == 32]
    assert len(entries) == 1


@pytest.mark.slow
def test_the_warmer_promotes_to_the_cache_of_the_environment(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """After an init container that copies what is there."""
    edit = ("  checkpoint_bucket:", "  compile_cache: {}\n  checkpoint_bucket:")
    project, kept = _project_with(tmp_path, "train-trn1", *edit), tmp_path / "kept"
    graphs = '[{"name": "bert", "kind": "parallel_compile", "args": ["train.py"]}]'
    options = ("--front-end", "torch", "--set", f"graphs={graphs}", "--keep", str(kept))
    outcome = _outcome(capsys, "compile-cache-warmer", "train-trn1", *options, project=project)
    assert outcome["ended"] == "Completed"
    assert _reasons(outcome, "program") == ["Copied", "Compiling", "Copied"]
    cache = kept / "s3" / "checkpoint-bucket" / "compile-cache"
    (graph,) = cache.rglob("model.neff")
    assert graph.relative_to(cache).parts[1:3] == ("trn1", "lnc-default")


@pytest.mark.exhaustive
def test_a_warmer_whose_node_is_drained_compiles_again(capsys: pytest.CaptureFixture[str]) -> None:
    settings = ("--claim", "lustre", "--fault", "node-drained@150s", "--compile-seconds", "600")
    outcome = _outcome(capsys, "compile-cache-warmer", "train-trn2", *settings)
    assert (outcome["ended"], outcome["missed_faults"]) == ("Completed", [])
    assert _reasons(outcome, "program").count("Loaded") == 1


HUB = ("--set", "download.endpoint=http://hub.rehearsal", "--set", "networkPolicy.ports=[80,443]", "--claim", "lustre")


def _sent(outcome: Mapping[str, Any]) -> Sequence[tuple[str, int]]:
    """Each answer of the Hub with a file: its name, and the byte that it starts at."""
    details = [event["message"] for event in outcome["events"] if event["reason"] == "Sends"]
    words = [each.replace(",", "").split() for each in details]
    return [(word[1], int(word[3])) for word in words]


@pytest.mark.slow
def test_a_download_that_is_killed_goes_on_where_it_was(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    settings = (*HUB, "--fault", "pod-killed@step=9", "--keep", str(kept))
    outcome = _outcome(capsys, "model-store", "train-trn2", *settings)
    assert (outcome["ended"], outcome["missed_faults"]) == ("Completed", [])
    assert outcome["replaced_programs"] == ["huggingface.co"]
    assert any(start > 0 for _, start in _sent(outcome))
    (manifest,) = (kept / "claims" / "lustre").rglob("manifest.json")
    for row in json.loads(manifest.read_text())["files"]:
        assert hashlib.sha256((manifest.parent / row["path"]).read_bytes()).hexdigest() == row["sha256"]


@pytest.mark.slow
def test_a_drill_names_the_truncated_checkpoint_and_leaves_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    run, kept = tmp_path / "run", tmp_path / "kept"
    for step, content in ((100, b"1" * 100), (200, b"cut")):
        (run / f"step-{step}").mkdir(parents=True)
        (run / f"step-{step}" / "a").write_bytes(content)
        files = [{"path": "a", "size": step, "crc32": -1}]
        completed = f"2026-11-26T10:0{step // 100}:00Z"
        manifest = {"version": 1, "step": step, "completed": completed, "parallelism": {}, "sdk": "", "files": files}
        (run / f"step-{step}" / "_manifest.json").write_text(json.dumps(manifest))
    values = ("job=drill", "input.path=llama", "drill.folder=drill", "drill.waitMinutes=0", 'drill.schedule=""')
    settings = [word for value in values for word in ("--set", value)]
    places = ("--claim", "lustre", "--file", f"lustre/checkpoints/default/llama={run}", "--keep", str(kept))
    outcome = _outcome(capsys, "model-store", "train-trn1", *settings, *places)
    assert (outcome["ended"], outcome["why"].rpartition(" ")[2]) == ("Failed", "65")
    [log] = (kept / "logs").rglob("*drill*")
    assert "step-200: a is short: 3 bytes, and the manifest has 200" in log.read_text()
    assert list((kept / "claims" / "lustre").rglob(".checkpoint-drill")) == []


COPY = "import shutil, sys; shutil.copytree(sys.argv[1], sys.argv[2], dirs_exist_ok=True)"


@pytest.mark.exhaustive
@every_case(
    "job, setting, replaced",
    [
        ("tokenize", ("command", ["python3", "-c", COPY, "{input}", "{output}"]), []),
        ("consolidate", ("args", ["--convert_to_full"]), ["nxd_convert_zero_checkpoints"]),
        ("convert", ("args", ["--tp_size=8"]), ["neuronx_distributed"]),
    ],
)
def test_a_tool_makes_its_folder_of_the_one_that_is_given(
    job: str, setting: tuple[str, list[str]], replaced: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    given, kept = tmp_path / job / "given", tmp_path / job / "kept"
    given.mkdir(parents=True)
    (given / "done").write_text("1")
    values = {"job": job, "output": "new", "input.path": "old", "input.marker": "done", setting[0]: setting[1]}
    settings = [
        f"--set={name}={value if isinstance(value, str) else json.dumps(value)}" for name, value in values.items()
    ]
    places = ("--file", f"lustre/checkpoints/default/old={given}", "--keep", str(kept))
    outcome = _outcome(capsys, "model-store", "train-trn1", "--claim", "lustre", *settings, *places)
    assert (outcome["ended"], outcome["replaced_programs"]) == ("Completed", replaced)
    assert outcome["files"] == [f"lustre/checkpoints/default/old from {given}"]
    made = kept / "claims/lustre/checkpoints/default/new"
    assert {each.name for each in made.iterdir()} == {"done", "manifest.json"}


@pytest.mark.exhaustive
def test_a_captured_profile_reaches_the_viewer(capsys: pytest.CaptureFixture[str]) -> None:
    capture = ("capture.enabled=true", "capture.mode=inspect", 'capture.command=["nccom-test","allr"]')
    settings = [word for value in capture for word in ("--set", value)]
    outcome = _outcome(capsys, "neuron-explorer", "train-trn1", "--claim", "lustre", *settings)
    assert outcome["ended"] == "Completed"
    assert {"Measured", "Captured", "Ingested"} <= set(_reasons(outcome, "program"))
    assert outcome["replaced_programs"] == ["nccom-test", "neuron-explorer"]
    assert outcome["requests"]["failed"] == 0


@pytest.mark.exhaustive
def test_an_update_of_two_torchserve_pods_fails_no_request(capsys: pytest.CaptureFixture[str]) -> None:
    """It does not hear the signal: pods end after their grace period, and have no endpoint by then."""
    settings = ("--claim", "lustre", "--set", "replicas=2", "--fault", "server-updated")
    outcome = _outcome(capsys, "neuron-serving", "serve-inf1", *settings)
    assert (outcome["ended"], outcome["missed_faults"]) == ("Completed", [])
    assert outcome["replaced_programs"] == ["torchserve"]
    assert outcome["requests"]["failed"] == 0
    assert outcome["requests"]["sent"] > 100
    assert _reasons(outcome, "kubelet").count("Killing") == 2


@pytest.mark.exhaustive
def test_the_nodes_of_a_check_let_the_first_one_in(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    outcome = _outcome(capsys, "collectives-check", "train-trn1", "--nodes", "2", "--keep", str(kept))
    assert outcome["ended"] == "Completed"
    assert _reasons(outcome, "program").count("RanksStarted") == 6
    assert {"nccom-test", "ssh", "ssh-keygen", "sshd"} == set(outcome["replaced_programs"])
    maps = [json.loads(file.read_text(encoding="utf-8")) for file in (kept / "kubernetes").iterdir()]
    assert [each["verdict"] for each in maps if "verdict" in each] == ["passed"]


@pytest.mark.exhaustive
@every_case("fault", ["node-drained", "node-lost", "pod-killed"])
def test_an_mpijob_goes_on_from_its_checkpoint(fault: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    project = _project_with(tmp_path / fault, "train-trn1", "eks:\n", "eks:\n  installed_otherwise: [mpi_operator]\n")
    options = ("--claim", "lustre", "--nodes", "2", "--set", "controller=mpijob", "--limit", "2", "--fault", fault)
    outcome = _outcome(capsys, "neuron-training", "train-trn1", *options, project=project)
    assert (outcome["ended"], outcome["missed_faults"]) == ("Completed", [])
    assert outcome["progress"]["steps"] == 30
    assert outcome["progress"]["most_repeated_steps"] <= 5


@pytest.mark.exhaustive
@every_case("fault", ["pod-killed", "node-lost"])
def test_a_server_over_two_nodes_starts_anew_as_a_whole(
    fault: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    project = _project_with(tmp_path / fault, "train-trn2", "  addons:\n", "  addons:\n    leader_worker_set: true\n")
    values = ("nodesPerReplica=2", "untested.severalNodes=true", "model.tensorParallelSize=128")
    settings = [word for value in values for word in ("--set", value)]
    options = ("--claim", "lustre", "--nodes", "3", "--limit", "1", "--fault", fault, *settings)
    outcome = _outcome(capsys, "neuron-serving", "train-trn2", *options, project=project)
    assert (outcome["ended"], outcome["missed_faults"]) == ("Completed", [])
    assert _reasons(outcome, "lws") == ["RecreateGroup"]
    assert _reasons(outcome, "program").count("Compiling") == 1


def _project_with(folder: Path, environment: str, old: str, new: str) -> Path:
    """This project with another text in one environment."""
    project = folder / "project"
    project.mkdir(parents=True)
    for each in ROOT.iterdir():
        if each.name not in ("environments", ".git"):
            (project / each.name).symlink_to(each)
    shutil.copytree(ROOT / "environments", project / "environments")
    file = project / "environments" / f"{environment}.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    return project
