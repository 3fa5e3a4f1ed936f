"""Jobs of Slurm with the options of an environment: directives, inputs, findings and the commands that submit them."""

from __future__ import annotations

import base64
import json
import re
import shlex
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import boto3
import pytest
from hint_commands import command_error
from msgspec.structs import replace
from rule_fixture import Case

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.pipeline import check_environment
from neuron_cluster.providers.pcs.plan.slurm_plan import SlurmPlan
from neuron_cluster.schedulers.slurm.cluster import slurm_of
from neuron_cluster.schedulers.slurm.gres import GresPlan
from neuron_cluster.schedulers.slurm.jobs.frameworks import framework_errors, job_host
from neuron_cluster.schedulers.slurm.jobs.host_list import hosts
from neuron_cluster.schedulers.slurm.jobs.job import Job, JobOptions, RenderedJob
from neuron_cluster.schedulers.slurm.jobs.known_jobs import FOLDER, JOBS, bundled_script, script_name
from neuron_cluster.schedulers.slurm.jobs.render import render_job
from neuron_cluster.schedulers.slurm.jobs.sbatch_options import Mistake, long_form
from neuron_cluster.schedulers.slurm.time_limit import seconds

CATALOG = load_catalog()
BY_NAME = {job.name: job for job in JOBS}
FOLDERS = {"CHECKPOINT_DIRECTORY": "/fsx/my run", "NEURON_COMPILE_CACHE_URL": "/fsx/cache"}
ARGUMENTS = {job.name: ("/fsx/first", "a b") if job.needs_arguments else () for job in JOBS}
SDKS = {"serve-vllm": "2.31.1", "train-torchrun": "2.29.1"}
"""The last releases in which their frameworks run on Trn1; those of other jobs run with that of the template."""
VARIABLES = {job.name: {name: FOLDERS[name] for name in job.variables} for job in JOBS}
INF2 = {
    "name": "inf2",
    "instance_type": "inf2.48xlarge",
    "count": {"max": 2},
    "availability_zone": "usw2-az4",
    "root_volume": {"size_gib": 512},
}
TWO_GROUPS: dict[str, Any] = {
    "slurm.groups[1]": INF2,
    "slurm.queues[0].settings": {"MaxTime": "1-00:00:00"},
    "slurm.queues[1]": {"name": "serving", "groups": ["inf2", "trn1"]},
}


def rendered(
    name: str, folder: Path, edits: dict[str, Any] | None = None, base: str = "slurm-trn1", **options: Any
) -> RenderedJob:
    file = folder / f"{base}.yaml"
    sdk = {"neuron.sdk": SDKS[name]} if name in SDKS else {}
    file.write_text(Case(base, {**sdk, **(edits or {})}).text(), encoding="utf-8")
    given = {"arguments": ARGUMENTS[name], "variables": VARIABLES[name], **options}
    plan = check_environment(file).require_plan()
    return render_job(BY_NAME[name], plan, slurm_of(plan), CATALOG, JobOptions(**given))


def ids(found: RenderedJob) -> list[str]:
    return [each.id for each in found.findings]


def directives(script: str) -> dict[str, str]:
    found = [
        line.removeprefix("#SBATCH ").partition("=") for line in script.splitlines() if line.startswith("#SBATCH ")
    ]
    assert len({name for name, _, _ in found}) == len(found), "a directive is twice in the script"
    return {name: value for name, _, value in found}


@cache
def bundled() -> set[str]:
    return {file.name for file in FOLDER.glob("*.sbatch")}


def test_every_bundled_script_is_a_job() -> None:
    assert {script_name(job) for job in JOBS} == bundled()
    assert [job.name for job in JOBS] == sorted(BY_NAME)


@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.name)
def test_a_job_describes_what_its_script_reads(job: Job) -> None:
    script = bundled_script(job)
    usage = re.search(rf"^# .*sbatch .*{script_name(job)} (\S)", script, re.MULTILINE)
    assert usage is not None
    assert job.needs_arguments is (usage[1] != "[")
    read = script + (FOLDER / "training_job.sh").read_text() if "training_job.sh" in script else script
    assert {*job.variables} == set(re.findall(r"^ *: \"\$\{(\w+):\?", read, re.MULTILINE))


@pytest.mark.parametrize("name", list(BY_NAME))
def test_scripts_have_the_options_of_the_plan(name: str, tmp_path: Path) -> None:
    found = rendered(name, tmp_path, time="90", scheduler_options=("--account=research",))
    script, options = found.script, directives(found.script)
    assert (options["--partition"], options["--gpus-per-node"]) == ("training", "trainium:16")
    assert (options["--time"], options["--account"]) == ("90", "research")
    assert options["--nodes"] == ("2" if BY_NAME[name].has_several_nodes else "1")
    assert script.startswith("#!/bin/bash\n")
    assert subprocess.run(["bash", "-n"], input=script, text=True, check=False).returncode == 0
    command = next(number for number, line in enumerate(script.splitlines()) if line and not line.startswith("#"))
    assert all(not line.startswith("#SBATCH") for line in script.splitlines()[command:])  # sbatch reads none there


def test_words_and_variables_are_quoted(tmp_path: Path) -> None:
    script = rendered("train-jax", tmp_path, variables={"CHECKPOINT_DIRECTORY": "/fsx/$(id)'x"}).script
    assignments = script[script.index("export CHECKPOINT_DIRECTORY") : script.index("set -euo")]
    shown = 'printf "%s|" "$CHECKPOINT_DIRECTORY" "$@"'
    ran = subprocess.run(["bash", "-c", assignments + shown], capture_output=True, text=True, check=True)
    assert ran.stdout == "/fsx/$(id)'x|/fsx/first|a b|"


def test_the_python_environment_is_that_of_the_machine_image(tmp_path: Path) -> None:
    edits = {"slurm.dlami": "multi_framework_ubuntu_24_04", "neuron.sdk": "2.32.0"}
    trn2 = {**edits, "slurm.groups[0].instance_type": "trn2.48xlarge"}
    for name, on, folder in (("train-jax", edits, "jax_0_10"), ("serve-vllm", trn2, "vllm_0_24_0_1_1_0")):
        found = rendered(name, tmp_path, on)
        assert re.search(rf"^export VIRTUAL_ENVIRONMENT=\S*{folder}$", found.script, re.MULTILINE)
        assert ids(found) == []


@pytest.mark.hints("W9416")
def test_an_image_without_a_python_environment_is_a_warning(tmp_path: Path) -> None:
    found = rendered("train-torchrun", tmp_path)
    assert ids(found) == ["W9416"]
    assert "export VIRTUAL_ENVIRONMENT" not in found.script
    (name,) = re.findall(r"--variable (\w+)=FOLDER", found.findings[0].hint)
    variables = {**VARIABLES["train-torchrun"], name: "/opt/venv"}
    followed = rendered("train-torchrun", tmp_path, variables=variables)
    assert ids(followed) == []
    assert f"export {name}=/opt/venv" in followed.script
    assert ids(rendered("check-collectives", tmp_path)) == []


OWN = {"VIRTUAL_ENVIRONMENT": "/opt/venv"}
VLLM = {"slurm.dlami": "multi_framework_ubuntu_24_04", "neuron.sdk": "2.32.0"}


@pytest.mark.hints("E9419", "W9420")
@pytest.mark.parametrize(
    ("job", "edits", "text", "instead"),
    [
        ("serve-vllm", {**VLLM, "slurm.groups[0]": {**INF2, "name": "trn1"}}, "AWS Inferentia2, Neuron SDK 2.32", None),
        ("serve-vllm", VLLM, "no framework of serve-vllm runs on trn1 (trn1.32xlarge, AWS Trainium, ", None),
        ("train-torchrun", {"neuron.sdk": "2.32.0"}, "no framework of train-torchrun runs on trn1", "train-jax"),
    ],
)
def test_a_framework_of_the_job_runs_on_the_chip(
    job: str, edits: dict[str, Any], text: str, instead: str | None, tmp_path: Path
) -> None:
    found = rendered(job, tmp_path, edits)
    assert (ids(found), found.script) == (["E9419"], "")
    assert text in found.findings[0].message
    assert ("use train-jax" in found.findings[0].hint) is (instead is not None)
    if instead is not None:
        assert rendered(instead, tmp_path, edits).script
    assert "--variable VIRTUAL_ENVIRONMENT=FOLDER" in found.findings[0].hint
    (sdk,) = re.findall(r"of Neuron SDK (\S+), the last one there", found.findings[0].hint)
    older = rendered(job, tmp_path, edits, variables={**VARIABLES[job], **OWN})
    assert (ids(older), f"the last release with it is {sdk}" in older.findings[0].message) == (["W9420"], True)
    assert rendered(job, tmp_path, {**edits, "neuron.sdk": sdk}).script


def test_a_framework_that_never_ran_on_the_chip_is_an_error_despite_an_environment(tmp_path: Path) -> None:
    file = tmp_path / "slurm-trn1.yaml"
    file.write_text(Case("slurm-trn1", {}).text(), encoding="utf-8")
    plan = check_environment(file).require_plan()
    slurm = plan.provider(SlurmPlan)
    assert slurm is not None
    group = replace(slurm.groups[0], gres=GresPlan("inferentia", 16))
    host = job_host(group, plan, slurm, CATALOG)
    (found,) = framework_errors(BY_NAME["serve-vllm"], host, JobOptions(variables=OWN))
    assert (found.id, found.hint) == ("E9419", "name a group with another Neuron chip")


def test_a_framework_does_not_run_on_an_operating_system_that_it_excludes(tmp_path: Path) -> None:
    edits = {"slurm.dlami": "base_amazon_linux_2023", "slurm.groups[0].instance_type": "trn2.48xlarge"}
    found = rendered("serve-vllm", tmp_path, {**edits, "neuron.sdk": "2.31.1"})
    assert (ids(found), "Amazon Linux 2023)" in found.findings[0].message) == (["E9419"], True)


def test_the_group_is_the_one_on_which_the_framework_runs(tmp_path: Path) -> None:
    trn2 = {**INF2, "name": "trn2", "instance_type": "trn2.48xlarge", "logical_nc_config": 1}
    edits = {**VLLM, "slurm.groups[1]": trn2, "slurm.queues[0].groups": ["trn1", "trn2"]}
    assert rendered("serve-vllm", tmp_path, edits).group == "trn2"


@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.name)
def test_frameworks_of_jobs_are_in_the_catalog(job: Job) -> None:
    assert [name for name in job.frameworks if CATALOG.frameworks.get(name) is None] == []


@pytest.mark.hints("E9411")
def test_the_group_must_be_unambiguous(tmp_path: Path) -> None:
    found = rendered("serve-vllm", tmp_path, TWO_GROUPS)
    assert (ids(found), found.script) == (["E9411"], "")
    (name,) = re.findall(r"--group (\w+)", found.findings[0].hint)
    assert rendered("serve-vllm", tmp_path, TWO_GROUPS, group=name).group == name == "trn1"
    unknown = rendered("serve-vllm", tmp_path, TWO_GROUPS, group="trn2")
    assert (ids(unknown), unknown.findings[0].hint) == (["E9411"], "did you mean trn1? groups: trn1, inf2")
    elsewhere = rendered("serve-vllm", tmp_path, base="dev-inf2")
    assert "has no slurm section" in elsewhere.findings[0].message
    cpu = {**INF2, "instance_type": "m7i.xlarge", "name": "trn1"}
    none = rendered("serve-vllm", tmp_path, {"slurm.groups[0]": cpu})
    assert none.findings[0].message == "no compute node group has Neuron devices"


def test_amounts_may_decide_about_the_group(tmp_path: Path) -> None:
    assert rendered("check-collectives", tmp_path, TWO_GROUPS, nodes=4).group == "trn1"
    assert rendered("serve-vllm", tmp_path, TWO_GROUPS, devices=16).group == "trn1"


@pytest.mark.hints("E9412")
@pytest.mark.parametrize(
    ("options", "text", "followed"),
    [
        ({"queue": "trainig"}, 'no queue "trainig"', {"queue": "training"}),
        ({"queue": "training", "group": "inf2"}, "does not have the group inf2", {"group": "inf2"}),
    ],
)
def test_the_queue_is_known_and_has_the_group(
    options: dict[str, Any], text: str, followed: dict[str, Any], tmp_path: Path
) -> None:
    found = rendered("serve-vllm", tmp_path, TWO_GROUPS, **options)
    assert (ids(found), found.script) == (["E9412"], "")
    assert text in found.findings[0].message
    assert rendered("serve-vllm", tmp_path, TWO_GROUPS, **followed).script


def test_a_group_in_several_queues_uses_the_default_or_the_named_one(tmp_path: Path) -> None:
    assert rendered("serve-vllm", tmp_path, TWO_GROUPS, group="trn1").queue == "training"
    assert rendered("serve-vllm", tmp_path, TWO_GROUPS, group="trn1", queue="serving").queue == "serving"
    no_default = {**TWO_GROUPS, "slurm.queues[0].default": False}
    found = rendered("serve-vllm", tmp_path, no_default, group="trn1")
    assert (ids(found), found.findings[0].hint) == (["E9412"], "name one: --queue training")


@pytest.mark.hints("E9413")
@pytest.mark.parametrize(
    ("job", "options", "text", "followed"),
    [
        ("train-jax", {"nodes": 17}, "17 nodes are requested, but trn1 has at most 16", {"nodes": 16}),
        ("serve-vllm", {"nodes": 2}, "serve-vllm runs on one node", {}),
        ("serve-vllm", {"devices": 17}, "a node of trn1 (trn1.32xlarge) has 16", {"devices": 16}),
        ("train-jax", {"devices": 4}, "train-jax has all 16 Neuron devices of its nodes, and 4 are requested", {}),
        (
            "serve-vllm",
            {"scheduler_options": ("--cpus-per-task=65",)},
            "65 CPUs of a node are requested, but trn1 (trn1.32xlarge) has 64",
            {"scheduler_options": ("--cpus-per-task=64",)},
        ),
        (
            "train-jax",
            {"scheduler_options": ("--cpus-per-task=9", "--ntasks-per-node=8")},
            "72 CPUs of a node are requested",
            {"scheduler_options": ("--cpus-per-task=8", "--ntasks-per-node=8")},
        ),
    ],
)
def test_amounts_fit_the_group(
    job: str, options: dict[str, Any], text: str, followed: dict[str, Any], tmp_path: Path
) -> None:
    found = rendered(job, tmp_path, **options)
    assert (ids(found), found.script) == (["E9413"], "")
    assert text in found.findings[0].message
    assert rendered(job, tmp_path, **followed).script


PHYSICAL = "trn1-e98115"


def amounts(*options: str, **more: Any) -> dict[str, Any]:
    return {"scheduler_options": options, **more}


@pytest.mark.hints("E9413")
@pytest.mark.parametrize(
    ("options", "text", "followed"),
    [
        (amounts("--mem=600G"), "--mem=600G is 600 GiB of a node, but trn1 (trn1.32xlarge) has 512 GiB", ("--mem=0",)),
        (amounts("--mem-per-cpu=16G"), "for 64 CPUs is 1,024 GiB", ("--mem-per-cpu=4G",)),
        (amounts("--mem-per-gpu=40G"), "for 16 Neuron devices is 640 GiB", ("--mem-per-gpu=20G",)),
        (amounts("-C inf2"), "--constraint=inf2, but nodes of trn1 have no features", ()),
        (amounts("-w node1"), f"which is not a node of trn1: {PHYSICAL}-[1-16]", (f"-w {PHYSICAL}-[1-2]",)),
    ],
)
def test_memory_and_nodes_of_a_job_fit_the_group(
    options: dict[str, Any], text: str, followed: tuple[str, ...], tmp_path: Path
) -> None:
    found = rendered("train-jax", tmp_path, **options)
    assert (ids(found), found.script) == (["E9413"], "")
    assert text in f"{found.findings[0].message}: {found.findings[0].hint}".replace(": nodes of trn1", "")
    assert rendered("train-jax", tmp_path, scheduler_options=followed).script


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("options", "text"),
    [
        (amounts("--mem=1TB"), "is 1,024 GiB of a node"),
        (amounts("--mem=629145600k"), "is 600 GiB of a node"),
        (amounts("--mem=614400"), "is 600 GiB of a node"),
        (amounts("--mem-per-c 16g"), "for 64 CPUs"),
        (amounts("-n 130"), "2 nodes with --ntasks-per-node=1 have fewer tasks"),
        (amounts("--mincpus=65"), "65 CPUs of a node are requested"),
        (amounts("--cpus-per-gpu=5"), "80 CPUs of a node are requested"),
        (amounts("--threads-per-core=2"), "PCS turns off all threads of a core but one"),
        (amounts("--tmp=600G"), "the root volume of trn1 (trn1.32xlarge) has 512 GiB"),
        (amounts("--constraint=(a|b)&c"), "have no features"),
        (amounts("--constr=[a*2&b*2]"), "have no features"),
        (amounts(f"--nodelist={PHYSICAL}-[1-3]"), "--nodelist has 3 nodes, and the job 2"),
        (amounts(f"--nodelist={PHYSICAL}-17"), f"--nodelist has {PHYSICAL}-17, which is not a node of trn1"),
        (amounts("--nodelist=login-1"), "--nodelist has login-1"),
        (amounts("-x node1"), "--exclude has node1, which is not a node of the cluster"),
        (amounts(f"-x {PHYSICAL}-[1-10,12-16]"), "--exclude leaves 1 node of trn1, and the job has 2"),
    ],
)
def test_further_amounts_fit_the_group(options: dict[str, Any], text: str, tmp_path: Path) -> None:
    found = rendered("train-jax", tmp_path, **options)
    assert (ids(found), found.script) == (["E9413"], "")
    assert text in found.findings[0].message


@pytest.mark.parametrize(
    "options",
    [
        "--mem=480G",
        "--mem-per-cpu=4G",
        "-C big&fast",
        "--constraint=none|big",
        "-C [big|none]",
        "-C big*2",
        "-A research",
    ],
)
def test_settings_of_the_group_decide_about_memory_and_features(options: str, tmp_path: Path) -> None:
    settings = {"RealMemory": "500000", "MemSpecLimit": "5000", "Features": "big,fast"}
    edits = {"slurm.groups[0].settings": settings, "slurm.queues[0].settings": {"AllowAccounts": "Research,admins"}}
    assert rendered("check-collectives", tmp_path, edits, scheduler_options=(options,)).script
    for given, text in (("--mem=484G", "RealMemory of trn1"), ("-C none", "big and fast"), ("-A x", "allows only")):
        found = rendered("check-collectives", tmp_path, edits, scheduler_options=(given,))
        assert (len(ids(found)), text in found.findings[0].message) == (1, True), found.findings


@pytest.mark.hints("W9421")
def test_amounts_that_pcs_decides_are_a_warning(tmp_path: Path) -> None:
    for given in ("--mem=500G", "--tmp=5G"):
        found = rendered("check-collectives", tmp_path, scheduler_options=(given,))
        assert (ids(found), bool(found.script)) == (["W9421"], True)
    known = {"slurm.groups[0].settings": {"RealMemory": "515000"}}
    assert ids(rendered("check-collectives", tmp_path, known, scheduler_options=("--mem=500G",))) == []
    assert ids(rendered("check-collectives", tmp_path, scheduler_options=("--mem=0",))) == []


def test_one_option_for_memory_is_left_in_the_script(tmp_path: Path) -> None:
    """sbatch ends with "--mem, --mem-per-cpu, and --mem-per-gpu are mutually exclusive" at a second one."""
    script = directives(rendered("train-jax", tmp_path, scheduler_options=("--mem-per-gpu=1G",)).script)
    assert (script["--mem-per-gpu"], "--mem" in script) == ("1G", False)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("-C inf2", "--constraint=inf2"), ("-Cinf2", "--constraint=inf2"), ("--const inf2", "--constraint=inf2"),
        ("-H", "--hold"), ("--exclusive=user", "--exclusive=user"), ("--tasks-per-node=2", "--ntasks-per-node=2"),
        ("--mem-per=1G", None), ("-Z", None), ("--hold=1", None), ("-c", None), ("mem=1G", None), ("--mem=", None),
    ],
)  # fmt: skip
def test_options_are_read_as_sbatch_reads_them(text: str, expected: str | None) -> None:
    found = long_form(text, CATALOG.slurm_options["sbatch"], "25.11")
    assert (None if isinstance(found, Mistake) else found) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a-[1-3,7],b", ("a-1", "a-2", "a-3", "a-7", "b")), ("a[08-10]", ("a08", "a09", "a10")), ("a", ("a",)),
        ("a[1-999999999]", None), ("a[1", None), ("a,,b", None), ("a[x]", None),
    ],
)  # fmt: skip
def test_lists_of_nodes_are_read_as_slurm_reads_them(text: str, expected: tuple[str, ...] | None) -> None:
    assert hosts(text) == expected


def test_several_nodes_need_efa(tmp_path: Path) -> None:
    found = rendered("check-collectives", tmp_path, {"slurm.groups[0].instance_type": "inf2.48xlarge"}, nodes=2)
    assert "not connected by EFA" in found.findings[0].message
    one = rendered("check-collectives", tmp_path, {"slurm.groups[0].instance_type": "inf2.48xlarge"})
    assert (one.nodes, one.devices) == (1, 12)


@pytest.mark.hints("E9414")
@pytest.mark.parametrize(
    ("options", "option", "followed"),
    [
        ({"arguments": ()}, "--run", {}),
        ({"variables": {}}, "--variable", {}),
        ({"variables": {"CHECKPOINT_DIRECTORY": "run"}}, "--variable", {}),
        ({"scheduler_options": ("-Z 1",)}, "--sbatch", {"scheduler_options": ("-a 0-2",)}),
        ({"scheduler_options": ("--aray=1",)}, "--sbatch", {"scheduler_options": ("--array=0-2",)}),
        ({"scheduler_options": ("-N3",)}, "--sbatch", {"nodes": 3}),
        ({"scheduler_options": ("--gres=gpu:trainium:8",)}, "--sbatch", {"devices": 16}),
        ({"scheduler_options": ("--mem=1.5T",)}, "--sbatch", {"scheduler_options": ("--mem=300G",)}),
        ({"scheduler_options": ("--mem=1G", "--mem-per-gpu=1G")}, "--sbatch", {"scheduler_options": ("--mem=1G",)}),
        ({"scheduler_options": ("-c two",)}, "--sbatch", {"scheduler_options": ("-c 2",)}),
        ({"scheduler_options": ("-C a&",)}, "--sbatch", {}),
        ({"scheduler_options": ("-w n[1",)}, "--sbatch", {}),
        ({"scheduler_options": ("--wrap=x\ny",)}, "--sbatch", {"scheduler_options": ("--array=0-2",)}),
        ({"scheduler_options": ("--nodes=3",)}, "--sbatch", {"nodes": 3}),
    ],
)
def test_inputs_are_there(options: dict[str, Any], option: str, followed: dict[str, Any], tmp_path: Path) -> None:
    found = rendered("train-jax", tmp_path, **options)
    assert [(each.id, each.option) for each in found.findings] == [("E9414", option)]
    assert found.script == ""
    assert rendered("train-jax", tmp_path, **followed).script


def test_a_cache_is_that_of_the_nodes_or_named(tmp_path: Path) -> None:
    missing = rendered("warm-compile-cache", tmp_path, variables={})
    assert (ids(missing), missing.script) == (["E9414"], "")
    assert rendered("warm-compile-cache", tmp_path, variables={"NEURON_COMPILE_CACHE_URL": "s3://b/c"}).script
    storage = {"storage": {"checkpoint_bucket": {}, "compile_cache": {}}}
    assert rendered("warm-compile-cache", tmp_path, storage, variables={}).script


@pytest.mark.hints("W9418")
def test_an_s3_address_needs_credentials_where_root_alone_has_those_of_the_node(tmp_path: Path) -> None:
    cache = {"NEURON_COMPILE_CACHE_URL": "s3://b/c"}
    found = rendered("warm-compile-cache", tmp_path, variables=cache)
    assert ("W9418" in ids(found), bool(found.script)) == (True, True)
    for followed in ({"NEURON_COMPILE_CACHE_URL": "/fsx/cache"}, {**cache, "AWS_PROFILE": "research"}):
        assert "W9418" not in ids(rendered("warm-compile-cache", tmp_path, variables=followed))
    bucket = {"storage": {"checkpoint_bucket": {}}}
    assert "W9418" not in ids(rendered("warm-compile-cache", tmp_path, bucket, variables=cache))


def test_ranks_are_those_of_the_cores_of_the_nodes(tmp_path: Path) -> None:
    edits = {"slurm.groups[0].instance_type": "trn2.48xlarge"}
    cores = {**VARIABLES["train-jax"], "NEURON_LOGICAL_NC_CONFIG": "1"}
    found = rendered("train-jax", tmp_path, edits, variables=cores)
    assert found.findings[0].message.endswith("'1', but the job has ranks for logical_nc_config 2 of trn1")
    assert rendered("train-jax", tmp_path, {**edits, "slurm.groups[0].logical_nc_config": 1}, variables=cores).script


SAME_DEVICES: dict[str, Any] = {
    "slurm.groups[1]": {**INF2, "name": "small", "instance_type": "trn1.2xlarge"},
    "slurm.queues[0].groups": ["trn1", "small"],
}


@pytest.mark.hints("W9417")
def test_slurm_may_choose_nodes_of_another_group_with_such_devices(tmp_path: Path) -> None:
    found = rendered(
        "serve-vllm", tmp_path, SAME_DEVICES, group="small", variables={"VIRTUAL_ENVIRONMENT": "/opt/venv"}
    )
    assert (ids(found), "#SBATCH --gpus-per-node=trainium:1\n" in found.script) == (["W9417"], True)
    assert "on nodes of trn1 too: queue training has them" in found.findings[0].message
    feature = {**SAME_DEVICES, "slurm.groups[1].settings": {"Features": "small"}}
    (option,) = re.findall(r"--sbatch=(--constraint=)FEATURE", found.findings[0].hint)
    options: dict[str, Any] = {"group": "small", "variables": {"VIRTUAL_ENVIRONMENT": "/opt/venv"}}
    assert ids(rendered("serve-vllm", tmp_path, feature, scheduler_options=(f"{option}small",), **options)) == []
    apart = {
        **SAME_DEVICES,
        "slurm.queues[1]": {"name": "small", "groups": ["small"]},
        "slurm.queues[0].groups": ["trn1"],
    }
    assert ids(rendered("serve-vllm", tmp_path, apart, **options)) == []
    assert ids(rendered("serve-vllm", tmp_path, SAME_DEVICES, group="trn1", variables=options["variables"])) == []


def test_a_job_that_shares_nodes_requests_its_part_of_them(tmp_path: Path) -> None:
    shared = {"slurm.queues[0].whole_nodes": False}
    share = {"--cpus-per-gpu": "4", "--mem-per-gpu": "24576M"}
    assert share.items() <= directives(rendered("serve-vllm", tmp_path, shared, devices=4).script).items()
    assert share.keys().isdisjoint(directives(rendered("serve-vllm", tmp_path, devices=4).script))
    assert share.keys().isdisjoint(directives(rendered("train-jax", tmp_path, shared).script))
    given = directives(rendered("serve-vllm", tmp_path, shared, scheduler_options=("--mem=9G",)).script)
    assert ("--mem-per-gpu" in given, given["--cpus-per-gpu"]) == (False, "4")
    known = {**shared, "slurm.groups[0].settings": {"RealMemory": "480000"}}
    assert directives(rendered("serve-vllm", tmp_path, known).script)["--mem-per-gpu"] == "30000M"


@pytest.mark.hints("E9415")
@pytest.mark.parametrize(
    ("time", "text"),
    [
        ("2-0", "2-0 is longer than MaxTime 1-00:00:00 of queue training"),
        ("unlimited", "unlimited is longer than MaxTime 1-00:00:00 of queue training"),
        ("1d", "not a time limit"),
    ],
)
def test_the_time_limit_is_within_the_queue(time: str, text: str, tmp_path: Path) -> None:
    found = rendered("train-jax", tmp_path, TWO_GROUPS, group="trn1", time=time)
    assert (ids(found), found.script) == (["E9415"], "")
    assert text in found.findings[0].message
    assert rendered("train-jax", tmp_path, TWO_GROUPS, group="trn1", time="1-00:00:00").script


@pytest.mark.parametrize("time", ["UNLIMITED", "infinite"])
def test_a_job_may_have_no_time_limit_in_a_queue_without_one(time: str, tmp_path: Path) -> None:
    found = rendered("train-jax", tmp_path, time=time)
    assert ("E9415" in ids(found), directives(found.script)["--time"]) == (False, time)


@pytest.mark.parametrize(
    ("job", "settings", "options", "text"),
    [
        ("train-jax", {}, {"time": "15"}, "--time 15: the job is signalled 900 s before it"),
        ("train-jax", {"DefaultTime": "10", "MaxTime": "1-0"}, {}, "DefaultTime 10 of queue training: the job is sig"),
        ("train-jax", {"MaxTime": "10"}, {}, "MaxTime 10 of queue training: the job is signalled"),
        ("train-jax", {}, {"time": "1", "scheduler_options": ("--signal=B:TERM",)}, "60 s before it (--signal=B:TERM)"),
        ("check-collectives", {"MaxTime": "30"}, {}, "60 is longer than MaxTime 30 of queue training"),
    ],
)
def test_the_time_limit_is_longer_than_that_of_the_signal(
    job: str, settings: dict[str, str], options: dict[str, Any], text: str, tmp_path: Path
) -> None:
    found = rendered(job, tmp_path, {"slurm.queues[0].settings": settings}, **options)
    assert (ids(found), found.script) == (["E9415"], "")
    assert text in found.findings[0].message
    assert rendered(job, tmp_path, {"slurm.queues[0].settings": {"MaxTime": "UNLIMITED"}}, time="16").script


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("90", 5400), ("1:30", 90), ("2:00:00", 7200), ("1-2", 93_600), ("1-2:30", 95_400), ("1-2:30:05", 95_405),
        ("UNLIMITED", None), ("1d", None), ("", None), ("-1", None), ("1:2:3:4", None),
    ],
)  # fmt: skip
def test_time_limits_are_read_as_slurm_reads_them(text: str, expected: int | None) -> None:
    assert seconds(text) == expected


def test_the_commands_are_accepted_and_carry_the_script(tmp_path: Path) -> None:
    found = rendered("check-collectives", tmp_path)
    text = "\n".join(found.commands)
    assert subprocess.run(["bash", "-n"], input=text, text=True, check=False).returncode == 0
    for command in found.commands:
        inner = re.sub(r"^\w+=\$\((.*)\)$", r"\1", command)
        if inner.startswith("aws ssm wait "):
            assert "command_executed" in boto3.client("ssm", region_name="us-west-2").waiter_names
            continue
        assert command_error(inner.replace("$LOGIN", "i-0123456789abcdef0")) == ""
    arguments = shlex.split(re.sub(r"^\w+=\$\((.*)\)$", r"\1", found.commands[1]))
    (line,) = json.loads(arguments[arguments.index("--parameters") + 1])["commands"]
    encoded, _, reader = line.removeprefix("echo ").partition(" | base64 --decode | ")
    assert base64.b64decode(encoded).decode() == found.script
    assert reader == "sudo -iu ubuntu /opt/aws/pcs/scheduler/slurm-25.11/bin/sbatch --chdir=/fsx"
    assert "StandardErrorContent" in found.commands[-1], "what sbatch rejects is there"


def test_a_submitted_job_has_its_log_on_the_shared_file_system(tmp_path: Path) -> None:
    """The home of the AMI's user is on the disk of a node, which ends."""
    lustre = {"storage": {"lustre": {"capacity_gib": 1200, "availability_zone": "usw2-az4"}}}

    def command(**options: Any) -> str:
        submission = rendered("check-collectives", tmp_path, lustre, **options).submission
        assert submission is not None
        return submission.command

    assert command().endswith("/sbatch --chdir=/fsx")
    assert command(scheduler_options=("--chdir=/fsx/mine",)).endswith("/sbatch")


def test_a_range_of_nodes_that_ends_before_it_begins_is_not_read() -> None:
    assert hosts("trn1-[3-1]") is None
    assert hosts("trn1-[1-1]") == ("trn1-1",)


def test_the_hint_of_a_job_that_excludes_every_node_sets_no_number_of_nodes(tmp_path: Path) -> None:
    found = rendered("check-collectives", tmp_path, **amounts(f"--exclude={PHYSICAL}-[1-16]"))
    assert [(each.id, each.hint) for each in found.findings] == [("E9413", "exclude fewer nodes")]
