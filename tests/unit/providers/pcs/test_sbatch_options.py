"""Options of sbatch of a job: each is judged, rejected, in doubt or of no bearing, by the Slurm version of the file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.schedulers.slurm.cluster import slurm_of
from neuron_cluster.schedulers.slurm.jobs.job import JobOptions, RenderedJob
from neuron_cluster.schedulers.slurm.jobs.known_jobs import JOBS
from neuron_cluster.schedulers.slurm.jobs.option_findings import OWN_OPTIONS
from neuron_cluster.schedulers.slurm.jobs.render import render_job
from neuron_cluster.schedulers.slurm.jobs.sbatch_options import Mistake, long_form

CATALOG = load_catalog()
ROW = CATALOG.slurm_options["sbatch"]
COLLECTIVES = next(job for job in JOBS if job.name == "check-collectives")
NODE = "trn1-e98115"


@pytest.fixture
def render(plan_of: Callable[..., Any]) -> Callable[..., RenderedJob]:
    """``check-collectives`` on two nodes of trn1.32xlarge with options of sbatch."""

    def rendered(
        *options: str, settings: dict[str, str] | None = None, version: str = "25.11", **more: Any
    ) -> RenderedJob:
        edits: dict[str, Any] = {"slurm.groups.0.settings": settings} if settings else {}
        plan = plan_of("slurm-trn1", {**edits, "slurm.version": version} if edits or version != "25.11" else None)
        return render_job(COLLECTIVES, plan, slurm_of(plan), CATALOG, JobOptions(scheduler_options=options, **more))

    return rendered


def ids(found: RenderedJob) -> list[str]:
    return [each.id for each in found.findings]


def shown(found: RenderedJob) -> str:
    return " ".join(f"{each.message}: {each.hint}" for each in found.findings)


CANNOT_RUN = {
    "account": (),  # no setting of the environment restricts it: test_settings_of_the_group_decide_…
    "qos": (),
    "batch": ("--batch=big",),
    "constraint": ("--constraint=big",),
    "cores-per-socket": ("--cores-per-socket=65",),
    "cpus-per-gpu": ("--cpus-per-gpu=5",),
    "cpus-per-task": ("--cpus-per-task=65",),
    "distribution": ("--distribution=plane=1",),
    "exclude": (f"--exclude={NODE}-[1-16]",),
    "exclusive": ("--exclusive", "--oversubscribe"),
    "extra-node-info": ("-B 5:13",),
    "licenses": ("--licenses=matlab:2",),
    "mem": ("--mem=600T",),
    "mem-per-cpu": ("--mem-per-cpu=16G",),
    "mem-per-gpu": ("--mem-per-gpu=40G",),
    "mincpus": ("--mincpus=65",),
    "nodelist": (f"--nodelist={NODE}-17",),
    "ntasks": ("--ntasks=5",),
    "ntasks-per-core": ("--ntasks-per-core=2", "--threads-per-core=1"),
    "ntasks-per-node": ("--ntasks-per-node=65",),
    "ntasks-per-socket": ("--ntasks-per-socket=65",),
    "overcommit": ("--overcommit", "--ntasks-per-node=65"),
    "prefer": ("--prefer=big",),
    "segment": ("--segment=3", "--nodes"),
    "signal": ("--signal=B:TERM@3600",),
    "sockets-per-node": ("--sockets-per-node=65",),
    "tasks-per-node": ("--tasks-per-node=65",),
    "threads-per-core": ("--threads-per-core=2",),
    "time-min": ("--time-min=61",),
    "tmp": ("--tmp=600G",),
}
"""Options that make each judged option one with which the job never runs."""


def test_each_judged_option_has_a_case() -> None:
    judged = {name for name, option in ROW.options.items() if option.bearing == "judged"}
    assert judged == CANNOT_RUN.keys()
    own = {f"--{name}" for name, option in ROW.options.items() if option.bearing == "command"}
    assert own == OWN_OPTIONS.keys()


@pytest.mark.parametrize("name", [name for name, options in CANNOT_RUN.items() if options])
def test_an_option_with_which_a_job_never_runs_is_an_error(name: str, render: Callable[..., RenderedJob]) -> None:
    options = [option for option in CANNOT_RUN[name] if option != "--nodes"]
    found = render(*options, nodes=4 if "--nodes" in CANNOT_RUN[name] else 2)
    assert (len(found.findings), found.script) == (1, ""), shown(found)
    shown_name = {"tasks-per-node": "ntasks-per-node", "overcommit": "ntasks-per-node"}.get(name, name)
    assert f"--{shown_name}" in shown(found)


@pytest.mark.parametrize("name", [name for name, option in ROW.options.items() if option.bearing == "rejected"])
def test_an_option_that_no_rendered_job_can_have_is_an_error(name: str, render: Callable[..., RenderedJob]) -> None:
    option = ROW.options[name]
    value = "=1" if "none" not in option.forms.values() else ""
    found = render(f"--{name}{value}")
    assert (ids(found), found.findings[0].hint) == (["E9414"], f"remove --{option.alias_of or name}")


VALUES = {
    "array": "0-9:3%2", "begin": "now+2hours", "deadline": "2026-12-24T08:00:00", "delay-boot": "5", "core-spec": "1",
    "thread-spec": "1", "dependency": "afterok:41:42,singleton", "gres-flags": "disable-binding", "open-mode": "append",
    "kill-on-invalid-dep": "yes", "wait-all-nodes": "1", "switches": "1@60",
}  # fmt: skip


@pytest.mark.parametrize(
    "name", [name for name, option in ROW.options.items() if option.bearing in ("none", "unknown")]
)
def test_any_other_option_is_in_the_script(name: str, render: Callable[..., RenderedJob]) -> None:
    option = ROW.options[name]
    form = option.form("26.05")
    value = f"={VALUES.get(name, 'x')}" if form == "required" else ""
    if name == "oversubscribe":
        return  # excluded by --exclusive of the script: the case of exclusive
    found = render(f"--{name}{value}", version="26.05")
    assert ids(found) == (["W9462"] if option.bearing == "unknown" else []), shown(found)
    assert f"#SBATCH --{name}" in found.script


@pytest.mark.parametrize(
    ("option", "message", "hint"),
    [
        ("--mem", "--mem needs a value", "write --sbatch=--mem=VALUE: a whole number of MiB, or one with K, M, G or T"),
        ("--mem=", "--mem needs a value", "such as 600G"),
        ("-c", "--cpus-per-task needs a value", "a whole number from 1"),
        (
            "--exclusive=",
            "--exclusive needs a value",
            "or --sbatch=--exclusive without one: user, mcs, topo, exclusive",
        ),
        ("--hold=1", "--hold takes no value, and '--hold=1' has one", "write it without: --sbatch=--hold"),
        ("--clust=x", "'--clust=x' is short for several options", "--cluster, --cluster-constraint or --clusters"),
        ("--mem=1G --hold", "'--mem=1G --hold' has a second option", "in an --sbatch of its own"),
        ("--mem=1G # half", "'--mem=1G # half' has a comment", "no comment"),
        ("#SBATCH hetjob", "'#SBATCH hetjob' begins a further component", "submit a job for each component"),
        (":", "':' begins a further component", "remove it"),
        ("--container-type=x", "--container-type is an option of Slurm 26.05, and the cluster has 25.11", "remove"),
        ("--mem=12X", "--mem is '12X'", "write a whole number of MiB"),
        ("--mem=-5", "--mem is '-5'", "write a whole number of MiB"),
        ("--mem=5KiB", "--mem is '5KiB'", "write a whole number of MiB"),
        ("--tmp=1P", "--tmp is '1P'", "write a whole number of MiB"),
        ("--ntasks=0", "--ntasks is '0'", "a whole number from 1"),
        ("--nice=-5", "--nice is '-5'", "a whole number from 0"),
        ("--exclusive=all", "--exclusive is 'all'", "write user, mcs, topo, exclusive or oversubscribe"),
        ("--exclusive=allocation", "--exclusive is 'allocation', which Slurm 25.11 does not have", "write user, mcs"),
        ("--array=1-x", "--array is '1-x'", "such as 0-2, 0-9:3"),
        ("--dependency=after", "--dependency is 'after'", "such as afterok:42"),
        ("--begin=soon", "--begin is 'soon'", "such as 2026-12-24T08:00"),
        ("--switches=x", "--switches is 'x'", "such as 1@60"),
        ("-B x", "--extra-node-info is 'x'", "SOCKETS:CORES:THREADS"),
        ("--time-min=1d", "--time-min is '1d'", "write a time"),
        ("--distribution=arbitrary", "sbatch rejects it together with --nodes", "block or cyclic"),
        ("--batch=a&", "--batch is 'a&'", "write names of features"),
        ("--mem-per-gpu=1G --mem=2G", "has a second option", "an --sbatch of its own"),
    ],
)
def test_one_finding_says_what_sbatch_reads(
    option: str, message: str, hint: str, render: Callable[..., RenderedJob]
) -> None:
    found = render(option)
    assert ids(found) == ["E9414"], shown(found)
    assert message in found.findings[0].message
    assert hint in found.findings[0].hint


@pytest.mark.parametrize(
    ("text", "version", "expected"),
    [
        ("--requeue=expedite", "24.11", None), ("--requeue=expedite", "25.11", "--requeue=expedite"),
        ("--get-user-env=10L", "24.11", "--get-user-env=10L"), ("--get-user-env=10L", "25.05", None),
        ("--external", "24.11", None), ("--external", "25.05", "--external"),
        ("--mem-u 10@5", "26.05", "--mem-update=10@5"), ("--comment='a # b'", "25.11", "--comment=a # b"),
        ('--constraint="a&b"', "25.11", "--constraint=a&b"), ("--comment=see --mem", "25.11", "--comment=see --mem"),
    ],
)  # fmt: skip
def test_options_are_those_of_the_version(text: str, version: str, expected: str | None) -> None:
    found = long_form(text, ROW, version)
    assert (None if isinstance(found, Mistake) else found) == expected


def test_a_large_size_is_a_whole_number_of_gib(render: Callable[..., RenderedJob]) -> None:
    assert "--mem=600T is 614,400 GiB of a node, but trn1 (trn1.32xlarge) has 512 GiB" in shown(render("--mem=600T"))


@pytest.mark.parametrize(
    ("options", "settings"),
    [
        (("--overcommit", "--ntasks=2", "--cpus-per-task=64"), None),
        (("-B *:*:1",), None),
        (("--prefer=big",), {"Features": "big"}),
        (("--batch=big", "-C big"), {"Features": "big"}),
        (("--ntasks=4", "--ntasks-per-node=2"), None),
        (("--time-min=60",), None),
        (("--distribution=plane=2", "--ntasks=4", "--ntasks-per-node=2"), None),
        (("--segment=1",), None),
    ],
)
def test_a_job_that_can_run_is_rendered(
    options: tuple[str, ...], settings: dict[str, str] | None, render: Callable[..., RenderedJob]
) -> None:
    found = render(*options, settings=settings)
    assert (ids(found), bool(found.script)) == ([], True), shown(found)


@pytest.mark.hints("W9462")
def test_options_and_variables_that_may_have_no_effect_are_a_warning(render: Callable[..., RenderedJob]) -> None:
    for option, text in (("--reservation=r1", "an administrator makes"), ("--array=0-1001", "an index above 1000")):
        found = render(option)
        assert (ids(found), bool(found.script), text in shown(found)) == (["W9462"], True, True)
    variable = render(variables={"SBATCH_MEM_PER_NODE": "600G"})
    assert (ids(variable), variable.findings[0].option) == (["W9462"], "--variable")
    assert ids(render("--array=0-1000")) == ids(render("--mem=480G")) == []


def test_the_shape_of_a_node_is_in_doubt(render: Callable[..., RenderedJob]) -> None:
    for option in ("--cores-per-socket=2", "--sockets-per-node=2", "--ntasks-per-socket=2", "-B 2:2"):
        found = render(option)
        assert (ids(found), "no source has the sockets" in shown(found)) == (["W9421"], True)
    assert ids(render("--cpus-per-task=2", "--mincpus=2")) == []
