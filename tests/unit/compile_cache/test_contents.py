"""A listing of the cache, and what of it can go."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from neuron_cluster.aws.s3 import S3Object
from neuron_cluster.compile_cache.cleaning import cleaning
from neuron_cluster.compile_cache.compilers_in_use import CompilersInUse
from neuron_cluster.compile_cache.contents import VersionFolder, contents, missing_folders

PREFIX, NOW = "compile-cache/", datetime(2026, 11, 26, 12, tzinfo=UTC)
NEW, OLD = "neuronx-cc-2.27.5334.0", "neuronx-cc-2.25.3371.0"
XLA = f"{NEW}/trn1/lnc-default/neuronxcc-2.27.5334.0+b11bf6c5"
VLLM = f"{NEW}/trn2/lnc-2/{'0123456789abcdef' * 2}"
IN_USE = CompilersInUse({"2.27.5334.0": ("train-trn1", "train-trn2")}, {})


def listed(*keys: str, hours: int = 24) -> tuple[VersionFolder, ...]:
    """Returns the folders of objects of 10 bytes and this age."""
    return contents((S3Object(PREFIX + key, 10, NOW - timedelta(hours=hours)) for key in keys), PREFIX)


def test_entries_of_both_caches_are_counted_by_folder_of_the_compiler() -> None:
    found = listed(
        f"{XLA}/MODULE_1+a/model.neff",
        f"{XLA}/MODULE_1+a/model.hlo_module.pb",
        f"{VLLM}/graph/model.neff",
        f"{VLLM}/key.json",
        f"{OLD}/trn1/lnc-default/neuronxcc-2.25.3371.0/MODULE_1+a/model.neff",
        "neuronxcc-2.24.5133.0+58f8de22/MODULE_2+b/model.neff",
        "notes/readme",
        "stray",
    )
    assert {each.name: (each.compiler, len(each.entries), each.size) for each in found} == {
        "": (None, 0, 10),
        NEW: ("2.27.5334.0", 2, 40),
        OLD: ("2.25.3371.0", 1, 10),
        "neuronxcc-2.24.5133.0+58f8de22": ("2.24.5133.0", 1, 10),
        "notes": (None, 0, 10),
    }


def test_an_entry_with_a_log_and_no_graph_has_failed() -> None:
    (folder,) = listed(
        f"{XLA}/MODULE_bad/model.log",
        f"{XLA}/MODULE_retried/model.log",
        f"{XLA}/MODULE_retried/model.neff",
        f"{XLA}/MODULE_running/model.hlo_module.pb.lock",
    )
    assert [entry.path for entry in folder.failed] == [f"{PREFIX}{XLA}/MODULE_bad"]
    assert [lock.key for lock in folder.locks] == [f"{PREFIX}{XLA}/MODULE_running/model.hlo_module.pb.lock"]


def test_a_folder_with_failed_entries_alone_has_no_graph() -> None:
    folders = listed(f"{XLA}/MODULE_1/model.neff", f"{NEW}/trn2/lnc-2/x/MODULE_1/model.log")
    expected = [f"{NEW}/trn1/lnc-default", f"{NEW}/trn2/lnc-2", f"{NEW}/trn2/lnc-2", f"{NEW}/trn1/lnc"]
    assert missing_folders(folders, PREFIX, expected) == (f"{NEW}/trn2/lnc-2", f"{NEW}/trn1/lnc")


def test_folders_without_a_user_go_and_those_without_a_version_stay() -> None:
    folders = listed(f"{XLA}/MODULE_1/model.neff", f"{OLD}/trn1/x/MODULE_1/model.neff", "notes/readme", "stray")
    found = cleaning(folders, IN_USE, NOW)
    assert [folder.name for folder in found.folders] == [OLD]
    assert [each.key for each in found.objects] == [f"{PREFIX}{OLD}/trn1/x/MODULE_1/model.neff"]
    assert found.size == 10


def test_all_folders_stay_while_the_compiler_of_an_environment_is_not_known() -> None:
    in_use = CompilersInUse(IN_USE.environments, {"2.33.1": ("draft",)})
    folders = listed(f"{OLD}/trn1/x/MODULE_1/model.neff", f"{OLD}/trn1/x/MODULE_2/model.log")
    found = cleaning(folders, in_use, NOW)
    assert found.folders == ()
    assert [entry.path for entry in found.failed] == [f"{PREFIX}{OLD}/trn1/x/MODULE_2"]


def test_young_failures_and_locks_may_be_of_a_compiler_that_runs() -> None:
    keys = (f"{XLA}/MODULE_1/model.log", f"{XLA}/MODULE_2/model.lock")
    oldest = NOW - timedelta(hours=6)
    assert cleaning(listed(*keys, hours=5), IN_USE, oldest).objects == ()
    found = cleaning(listed(*keys, hours=7), IN_USE, oldest)
    assert [each.key for each in found.objects] == [PREFIX + key for key in keys]


def test_an_object_of_a_folder_a_failure_and_a_lock_goes_once() -> None:
    folders = listed(f"{XLA}/MODULE_1/model.log", f"{XLA}/MODULE_1/model.lock")
    assert len(cleaning(folders, IN_USE, NOW).objects) == 2
