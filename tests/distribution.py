"""How xdist gives tests to its workers: file by file, but for folders whose files share what they read."""

from __future__ import annotations

from typing import Any

import pytest
from xdist.scheduler import LoadFileScheduling

TOGETHER = ("tests/architecture/",)
"""Folders whose tests one worker runs: each worker would parse every source file."""


class FilesAndFolders(LoadFileScheduling):
    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        return next((folder for folder in TOGETHER if file.startswith(folder)), file)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> FilesAndFolders | None:
    return FilesAndFolders(config, log) if config.option.dist == "loadfile" else None
