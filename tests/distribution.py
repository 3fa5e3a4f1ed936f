"""How xdist gives tests to its workers: file by file, but for folders whose files share what they read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from xdist.scheduler import LoadFileScheduling
from xdist.workermanage import WorkerController

TOGETHER = ("tests/architecture/",)
"""Folders whose tests one worker runs: each worker would parse every source file."""


class Collection(list[str]):
    """The tests of a worker. xdist asks for the place of each, and a list would look through all that come before."""

    def __init__(self, tests: Iterable[str]) -> None:
        super().__init__(tests)
        self.places = {test: place for place, test in enumerate(self)}

    def index(self, test: str, *_: Any) -> int:
        return self.places[test]


class FilesAndFolders(LoadFileScheduling):
    def add_node_collection(self, node: WorkerController, collection: Sequence[str]) -> None:
        super().add_node_collection(node, collection)
        if node in self.registered_collections:
            self.registered_collections[node] = Collection(collection)

    def mark_test_complete(self, node: WorkerController, item_index: int, duration: float = 0) -> None:
        """xdist counts what is left in all files that a worker was given: a finished one is none of them."""
        super().mark_test_complete(node, item_index, duration)
        test = self.registered_collections[node][item_index]
        file = self._split_scope(test)
        if all(self.assigned_work[node][file].values()):
            del self.assigned_work[node][file]

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        return next((folder for folder in TOGETHER if file.startswith(folder)), file)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> FilesAndFolders | None:
    return FilesAndFolders(config, log) if config.option.dist == "loadfile" else None
