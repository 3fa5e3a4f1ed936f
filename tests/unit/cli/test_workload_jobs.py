"""``neuron-cluster workload`` with jobs of Slurm: rendered, written, listed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.json_outputs import FORMAT, accepted_mutations

from .conftest import PROJECT, Command

JOB = ("check-collectives", "slurm-trn1")
SERVER = ("serve-vllm", "slurm-trn2-block", "--run", "/fsx/model")
MODELS = Path(__file__).parents[2] / "fixtures" / "models"
TRAINING = ("train-jax", "slurm-trn1", "--variable", "CHECKPOINT_DIRECTORY=/fsx/run")


def test_a_script_is_printed_with_its_options(command: Command) -> None:
    ran = command("workload", "render", *TRAINING, "--nodes", "4", "--run", "train.py", "--lr", "1e-4")
    assert ran.status == 0
    assert "#SBATCH --nodes=4\n" in ran.out
    assert "set -- train.py --lr 1e-4\n" in ran.out  # all words after --run are those of the program
    assert "W9416" in ran.err


@pytest.mark.parametrize("place", ["job.sbatch", "folder/"])
def test_a_script_is_written(place: str, command: Command, tmp_path: Path) -> None:
    ran = command("workload", "render", *JOB, "--output", f"{tmp_path}/{place}")
    assert (ran.status, ran.out) == (0, "")
    written = tmp_path / (f"{place}check_collectives.sbatch" if place.endswith("/") else place)
    assert "#SBATCH --partition=training\n" in written.read_text(encoding="utf-8")


def test_the_documents_have_their_formats(command: Command) -> None:
    found = command("workload", "render", *JOB, *FORMAT).document
    assert accepted_mutations("workload render", found) == []
    assert (found["job"], found["node_group"], found["nodes"], found["devices"]) == ("check-collectives", "trn1", 2, 16)
    submitted = command("workload", "submit", *JOB, "--dry-run", *FORMAT).document
    assert accepted_mutations("workload submit", submitted) == []
    assert {key: value for key, value in submitted.items() if key in found} == found
    assert len(submitted["commands"]) == 4
    assert (submitted["instance"], submitted["command_id"], submitted["job_id"]) == (None, None, None)


def test_a_dry_run_prints_commands_and_runs_none(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    ran = command("workload", "submit", *JOB, "--dry-run")
    assert (ran.status, ran.err) == (0, "")
    assert [line.split("=")[0].split(" ")[0] for line in ran.out.splitlines()] == ["LOGIN", "COMMAND", "aws", "aws"]


@pytest.mark.parametrize(
    ("arguments", "ids"),
    [
        (("llama-3-8b", *SERVER, "--tensor-parallel-size=8"), set()),
        (("llama-3-8b", *SERVER, "--tensor-parallel-size", "12"), {"E9262"}),
        (("llama-3-70b", *SERVER, "--tensor-parallel-size=2"), {"E9261"}),
        (("llama-3-8b", *TRAINING, "--run", "train.py", "--pipeline_parallel_size=7"), {"W9263"}),
        (("llama-3-8b", *JOB), {"E9221"}),
    ],
)
def test_the_model_of_a_job_is_judged_as_that_of_a_chart(
    arguments: tuple[str, ...], ids: set[str], command: Command
) -> None:
    model, chart, environment, *rest = arguments
    ran = command("workload", "render", chart, environment, "--model-config", str(MODELS / f"{model}.json"), *rest)
    found = set(re.findall(r"[EW]92\d\d", ran.err + ran.out))
    assert found == ids
    assert ran.status == (1 if any(each.startswith("E") for each in ids) else 0)


@pytest.mark.parametrize("output", ["text", "json", "sarif"])
def test_with_an_error_nothing_is_written(output: str, command: Command, tmp_path: Path) -> None:
    file = tmp_path / "job.sbatch"
    ran = command("workload", "render", *JOB, "--nodes", "99", "--output", str(file), "--format", output)
    assert ran.status == 1
    assert "E9413" in ran.out + ran.err
    assert not file.exists()
    assert command("workload", "submit", *JOB, "--nodes", "99").status == 1


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ((*JOB, "--claim", "lustre"), "--claim is an option of charts, and check-collectives is a job"),
        (("collectives-check", "train-trn1", "--time", "9"), "--time is an option of jobs"),
        (("collectives-check", "train-trn1", "--sbatch=--array=1"), "--sbatch is an option of jobs"),
    ],
)
def test_options_are_those_of_the_workload(arguments: tuple[str, ...], text: str, command: Command) -> None:
    ran = command("workload", "render", *arguments)
    assert ran.status == 1
    assert text in " ".join((ran.out + ran.err).split())


@pytest.mark.parametrize("variable", ["X", "1X=a", "A-B=c", "A=\n"])
def test_a_variable_has_a_name_and_one_line(variable: str, command: Command) -> None:
    assert command("workload", "render", *JOB, "--variable", variable).status == 2


@pytest.mark.parametrize("arguments", [("--variable", "A=\udcff"), ("--sbatch=--comment=\udcff",), ("--run", "\udcff")])
def test_a_script_has_text_alone(arguments: tuple[str, ...], command: Command) -> None:
    ran = command("workload", "render", *JOB, *arguments)
    assert ran.status == 2
    assert "is not text of UTF-8" in ran.err


def test_a_chart_still_needs_its_cluster(command: Command) -> None:
    ran = command("workload", "submit", "collectives-check", "train-trn1", "--context", "c")
    assert ran.status == 2
    assert "the following arguments are required: --namespace" in ran.err


@pytest.mark.parametrize("verb", ["render", "submit"])
def test_a_wrong_name_has_the_near_job_among_all_workloads(verb: str, command: Command) -> None:
    ran = command("workload", verb, "check-collective", "slurm-trn1")
    assert ran.status == 1
    assert "did you mean check-collectives" in ran.err
    assert "collectives-check" in ran.err


def test_jobs_are_listed_with_their_groups(command: Command) -> None:
    listed = {each["chart"]: each for each in command("workload", "list", "slurm-trn1", *FORMAT).document}
    assert [group["name"] for group in listed["train-jax"]["node_groups"]] == ["trn1"]
    assert "job: serves a model with vLLM" in " ".join(listed["serve-vllm"]["description"].split())
    assert listed["collectives-check"]["node_groups"] == []
    assert "train-jax" not in {each["chart"] for each in command("workload", "list", "train-trn1", *FORMAT).document}
    (group,) = listed["serve-vllm"]["node_groups"]
    requires = "--variable VIRTUAL_ENVIRONMENT=FOLDER, with packages of Neuron SDK 2.31.1 or older"
    assert (group["name"], group["requires"], listed["serve-vllm"]["why_not"]) == ("trn1", requires, [])
    shown = command("workload", "list", "slurm-trn1").out
    assert "only with --variable" in " ".join(shown.split())
    assert "warm-compile-cache" in shown
    assert "OFF" not in shown, "an environment without a Kubernetes cluster has no components"
    assert "OFF" in command("workload", "list", "train-trn1").out


RELEASES = [
    pytest.param("slurm-trn1", "2.32.0"),
    pytest.param("slurm-trn2-block", "2.33.0"),
    pytest.param("slurm-trn1", "2.29.1", marks=pytest.mark.exhaustive),
    pytest.param("slurm-trn2-block", "2.32.0", marks=pytest.mark.exhaustive),
]


@pytest.mark.parametrize(("environment", "sdk"), RELEASES)
def test_list_says_what_render_says(environment: str, sdk: str, command: Command, tmp_path: Path) -> None:
    file = tmp_path / f"{environment}.yaml"
    shipped = (PROJECT / "environments" / f"{environment}.yaml").read_text()
    file.write_text(re.sub(r"sdk: .*", f'sdk: "{sdk}"', shipped))
    jobs = [each for each in command("workload", "list", str(file), *FORMAT).document if "job: " in each["description"]]
    assert jobs
    for job in jobs:
        refused = "E9419" in command("workload", "render", job["chart"], str(file), *FORMAT).out
        plain = [group for group in job["node_groups"] if group["requires"] is None]
        assert refused == (plain == []), job
        for group in job["node_groups"]:
            named = (group["requires"] or "").partition(",")[0].split()
            ran = command("workload", "render", job["chart"], str(file), "--group", group["name"], *named, *FORMAT)
            assert "E9419" not in ran.out
            assert ("W9420" in ran.out) == bool(named) or "E94" in ran.out
