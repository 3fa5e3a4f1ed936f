"""Files of a killed compiler in the shared compile cache, and how charts/neuron-training handles them."""

import os
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import compile_cache
import pytest
from attempts import Limits
from compile_cache import CompileCache
from job import CacheOptions, FrontEnd, Job, read_checkpoint_options
from training import ENVIRONMENT

COMPILING = (
    "neuronx-cc compile --target=trn1 --framework=XLA /var/tmp/compile/model.MODULE_12+3f.hlo_module.pb --output x.neff"
)


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """Two graphs that are being compiled, one that failed and one that did not."""
    for name in (
        "MODULE_12+3f/model.hlo_module.pb.lock",
        "MODULE_34+3f/model.hlo_module.pb.lock",
        "MODULE_5/model.log",
    ):
        make(tmp_path, name)
    for name in ("MODULE_6/model.log", "MODULE_6/model.done", "MODULE_7/model.log", "MODULE_7/model.lock"):
        make(tmp_path, name)
    return tmp_path


def make(folder: Path, name: str) -> None:
    path = folder / "neuronxcc-2.27+f0" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()


def files(folder: Path, pattern: str) -> list[str]:
    return sorted(f"{path.parent.name}/{path.name}" for path in folder.glob(f"**/{pattern}"))


def test_a_pod_deletes_the_locks_of_its_own_compilers_only(cache: Path) -> None:
    own = CompileCache(cache)
    own.observe(["python3 train.py", COMPILING])
    own.release()
    assert files(cache, "*.lock") == ["MODULE_34+3f/model.hlo_module.pb.lock", "MODULE_7/model.lock"]


def test_locks_that_no_compilation_takes_so_long_for_are_deleted(cache: Path) -> None:
    old = cache / "neuronxcc-2.27+f0" / "MODULE_34+3f" / "model.hlo_module.pb.lock"
    os.utime(old, (0, 0))
    CompileCache(cache).delete_old_locks(180)
    assert files(cache, "*.lock") == ["MODULE_12+3f/model.hlo_module.pb.lock", "MODULE_7/model.lock"]


def test_failed_graphs_are_compiled_again(cache: Path) -> None:
    """Not those that were compiled since, or are being compiled."""
    CompileCache(cache).forget_failures()
    assert files(cache, "model.log") == ["MODULE_6/model.log", "MODULE_7/model.log"]


def test_a_cache_that_hangs_holds_up_no_pod(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = threading.Event()
    monkeypatch.setattr(compile_cache, "LONGEST_SECONDS", 0.01)
    monkeypatch.setattr(CompileCache, "_delete_failures", lambda _: answers.wait(20))
    CompileCache(cache).forget_failures()
    answers.set()


@pytest.fixture
def job() -> Job:
    """A restart of NxD."""
    return Job(
        front_end=FrontEnd.NXD,
        nodes=1,
        node_rank=0,
        cores=2,
        master_host="a-node-0-0.a",
        master_port=1,
        root_communication_port=2,
        topology_port=3,
        ultraserver_size=0,
        start_timeout_seconds=20,
        grace_seconds=20,
        silent_seconds=0,
        stop_signal="SIGTERM",
        stop_folder=None,
        checkpoint_folder=None,
        folder_per_node=False,
        run="uid",
        restarts=1,
        cache=CacheOptions(folder=None, retries_failed=True, stale_lock_minutes=0),
        checkpoints=read_checkpoint_options(ENVIRONMENT),
        limits=Limits(losses=0, without_checkpoint=0),
        pod="a-node-0-0",
        under_mpirun=False,
    )


@pytest.mark.parametrize(
    ("flags", "after"),
    [
        ({}, {"NEURON_CC_FLAGS": "--retry_failed_compilation"}),
        ({"NEURON_CC_FLAGS": "-O1"}, {"NEURON_CC_FLAGS": "-O1 --retry_failed_compilation"}),
        ({"NEURON_CC_FLAGS": "-O1 --retry_failed_compilation"}, {}),
    ],
)
def test_restarts_of_nxd_keep_the_flags_of_the_user(job: Job, flags: dict[str, str], after: dict[str, str]) -> None:
    assert compile_cache.variables(job, flags) == after
    assert compile_cache.variables(replace(job, restarts=None), flags) == after, "under mpirun"


@pytest.mark.parametrize(
    "changes",
    [
        {"restarts": 0},
        {"front_end": FrontEnd.JAX},
        {"front_end": FrontEnd.TORCHTITAN},
        {"cache": CacheOptions(folder=None, retries_failed=False, stale_lock_minutes=0)},
    ],
    ids=str,
)
def test_other_starts_get_no_flag(job: Job, changes: dict[str, Any]) -> None:
    assert compile_cache.variables(replace(job, **changes), {}) == {}
