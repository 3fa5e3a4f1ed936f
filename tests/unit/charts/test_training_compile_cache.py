"""What a killed compiler leaves in the shared compile cache, and what charts/neuron-training does with it."""

import os
import sys
import threading
from pathlib import Path

import pytest

FILES = Path(__file__).parents[3] / "charts" / "neuron-training" / "files"
sys.path.insert(0, str(FILES))

import compile_cache
from compile_cache import CompileCache

COMPILING = (
    "neuronx-cc compile --target=trn1 --framework=XLA /tmp/work/model.MODULE_12+3f.hlo_module.pb --output x.neff"
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


@pytest.mark.parametrize(
    ("flags", "after"),
    [
        ({}, {"NEURON_CC_FLAGS": "--retry_failed_compilation"}),
        ({"NEURON_CC_FLAGS": "-O1"}, {"NEURON_CC_FLAGS": "-O1 --retry_failed_compilation"}),
        ({"NEURON_CC_FLAGS": "-O1 --retry_failed_compilation"}, {}),
    ],
)
def test_the_flags_of_the_user_stay(flags: dict[str, str], after: dict[str, str]) -> None:
    assert compile_cache.variables(flags) == after
