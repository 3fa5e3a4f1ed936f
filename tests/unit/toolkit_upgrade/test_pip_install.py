"""Output of the installation of a release while pip runs."""

from __future__ import annotations

from pathlib import Path

from neuron_cluster.toolkit_upgrade.pip_install import LONGEST, last_line


def test_a_line_of_progress_is_short_and_leaves_the_position_of_the_log(tmp_path: Path) -> None:
    packages = ", ".join(f"package-{number}" for number in range(100))
    with (tmp_path / "pip.log").open("w+b") as log:
        assert last_line(log) == "pip is starting"
        log.write(f"Collecting package-0\n  Installing collected packages: {packages}\n\n".encode())
        log.flush()
        written = log.tell()
        shown = last_line(log)
        assert log.tell() == written
    assert shown.startswith("Installing collected packages: package-0, ")
    assert shown.endswith(" …")
    assert len(shown) <= LONGEST
