"""E1061 and W1060: which lines of requirements.txt the running release does not satisfy. W1062: the bare name."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.pinned_toolkit.pin_findings import pin_findings

CATALOG = load_catalog()

RUNNING = version("neuron-cluster-toolkit")
HASH = "0" * 64
NEWER, OLDER = "999.1", "0.0.1"


def ids(folder: Path, text: str | bytes) -> list[str]:
    (folder / "requirements.txt").write_bytes(text.encode() if isinstance(text, str) else text)
    return [finding.id for finding in pin_findings(folder, CATALOG)]


@pytest.mark.parametrize(
    "line",
    [
        f"neuron-cluster-toolkit=={NEWER}",
        f"Neuron_Cluster.Toolkit == {NEWER}  # the release of the team",
        f"neuron-cluster-toolkit[rehearse]~={NEWER}",
        f"neuron-cluster-toolkit>={NEWER},<1000",
        f"neuron-cluster-toolkit>{RUNNING}",
        "neuron-cluster-toolkit==999.*",
        f'neuron-cluster-toolkit=={NEWER}; python_version >= "3.11"',
        f"neuron-cluster-toolkit=={NEWER} \\\n    --hash=sha256:00",
        f"neuron-cluster-toolkit \\\n    =={NEWER}rc1",
        f"./dist/neuron_cluster_toolkit-{NEWER}-py3-none-any.whl",
        f"neuron_cluster_toolkit-{NEWER}-2-py3-none-any.whl --hash=sha256:00",
        f"neuron-cluster-toolkit @ https://example.com/neuron_cluster_toolkit-{NEWER}-py3-none-any.whl#sha256=00",
    ],
)
def test_a_newer_release_is_required(line: str, tmp_path: Path) -> None:
    assert ids(tmp_path, f"requests\n{line}\n") == ["E1061"]


@pytest.mark.parametrize(
    "line",
    [f"=={OLDER}", f"<={OLDER}", f"<{RUNNING}", f"~={OLDER}", "==0.0.*", f"=={OLDER}.dev3", f">={OLDER},<{RUNNING}"],
)
def test_an_older_release_is_required(line: str, tmp_path: Path) -> None:
    assert ids(tmp_path, f"neuron-cluster-toolkit{line}") == ["W1060"]


@pytest.mark.parametrize(
    "line",
    [
        f"neuron-cluster-toolkit=={RUNNING} --hash=sha256:{HASH}",
        f"neuron-cluster-toolkit=={RUNNING} \\\n  --hash=sha256:{HASH}",
        f"neuron-cluster-toolkit=={RUNNING}\n--index-url https://packages.example.com/simple",
        f"-i https://packages.example.com/simple\nneuron-cluster-toolkit=={RUNNING}",
        f"--no-index\n--find-links wheels\nneuron-cluster-toolkit=={RUNNING}",
        f"./wheels/neuron_cluster_toolkit-{RUNNING}-py3-none-any.whl",
        f"# neuron-cluster-toolkit=={NEWER}",
        f"neuron-cluster-toolkit-plugin=={NEWER}",
        f"./dist/other_toolkit-{NEWER}-py3-none-any.whl",
        "neuron-cluster-toolkit @ git+https://example.com/neuron.git@main",
        "git+https://example.com/neuron.git@main#egg=neuron-cluster-toolkit",
        "",
    ],
)
def test_other_lines_are_no_finding(line: str, tmp_path: Path) -> None:
    assert ids(tmp_path, line) == []


@pytest.mark.parametrize(
    "line",
    [
        f"neuron-cluster-toolkit=={RUNNING}",
        "Neuron_Cluster.Toolkit",
        "neuron-cluster-toolkit  # any",
        f"neuron-cluster-toolkit==={RUNNING}",
        f"neuron-cluster-toolkit[rehearse]>={OLDER}",
        f"neuron-cluster-toolkit!={RUNNING}",
        f'neuron-cluster-toolkit=={NEWER}; python_version < "3"',
        "neuron-cluster-toolkit==${RELEASE}",
        f"neuron-cluster-toolkit=={RUNNING} --hash=md5:00",
        f"--extra-index-url https://packages.example.com/simple\nneuron-cluster-toolkit=={RUNNING}",
        f"--index-url=https://pypi.org/simple\nneuron-cluster-toolkit=={RUNNING}",
        f"--find-links wheels\nneuron-cluster-toolkit=={RUNNING}",
        f"# --no-index\nneuron-cluster-toolkit=={RUNNING}",
        f'--index-url "https://pypi.org/simple"\nneuron-cluster-toolkit=={RUNNING}',
        f"--pypi-url='https://pypi.org/simple'\nneuron-cluster-toolkit=={RUNNING}",
        f"-i https://mirrors.aliyun.com/pypi/simple/\nneuron-cluster-toolkit=={RUNNING}",
        f"--index-url https://packages.example.com --extra-index-url 'https://pypi.org/x'\nneuron-cluster-toolkit=={RUNNING}",
        f"neuron-cluster-toolkit=={RUNNING} ; platform_release != 'a/b@c.whl'",
        f"--prefer-binary # --no-index\nneuron-cluster-toolkit=={RUNNING}",
        f"neuron-cluster-toolkit=={RUNNING} # --hash=sha256:{HASH}",
        f"# a comment does not go on \\\nneuron-cluster-toolkit=={RUNNING}",
        f"--trusted-host --no-index\nneuron-cluster-toolkit=={RUNNING}",
    ],
)
def test_a_bare_name_is_a_warning(line: str, tmp_path: Path) -> None:
    assert ids(tmp_path, line) == ["W1062"]


INCLUDED = f"neuron-cluster-toolkit=={RUNNING}\n"
WHEEL = f"./wheels/neuron_cluster_toolkit-{RUNNING}-py3-none-any.whl\n"


@pytest.mark.parametrize(
    ("text", "included", "place"),
    [
        ("-r more/base.txt", f"# packages\n{INCLUDED}", "../more/base.txt:2:0"),
        ("--requirement=more/base.txt", f"-r ../requirements.txt\n{INCLUDED}", "../more/base.txt:2:0"),
        ("requests\n-c 'more/base.txt'", INCLUDED, "../more/base.txt:1:0"),
        ("-cmore/base.txt\nneuron-cluster-toolkit", INCLUDED, "../more/base.txt:1:0"),
        (f"{INCLUDED}-r more/base.txt", "--extra-index-url https://packages.example.com", "../requirements.txt:1:0"),
        (f"-c more/base.txt\n{WHEEL}", INCLUDED, ""),
        ("-c more/base.txt\nneuron-cluster-toolkit", f"neuron-cluster-toolkit==1 --hash=sha256:{HASH}", ""),
        (f"-r more/base.txt\n{INCLUDED}", "--index-url https://packages.example.com/simple", ""),
        ("-r more/base.txt\n--no-index", INCLUDED, ""),
        ("-r more/none.txt\n-r https://example.com/base.txt", INCLUDED, ""),
    ],
)
def test_a_bare_name_of_an_included_file_is_found_there(text: str, included: str, place: str, tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "base.txt").write_text(included)
    (tmp_path / "requirements.txt").write_text(text)
    found = pin_findings(tmp_path, CATALOG, "../requirements.txt")
    assert [(each.id, str(each.location)) for each in found] == ([("W1062", place)] if place else [])


def test_the_first_line_that_is_not_satisfied_is_the_place(tmp_path: Path) -> None:
    text = f"\ufeffrequests\r\n\r\nneuron-cluster-toolkit \\\r\n  =={NEWER}\r\nneuron-cluster-toolkit=={OLDER}\r\n"
    assert ids(tmp_path, text) == ["E1061"]
    (found,) = pin_findings(tmp_path, CATALOG, "../requirements.txt")
    assert str(found.location) == "../requirements.txt:3:0"
    assert found.message == f"the repository requires neuron-cluster-toolkit =={NEWER}, and {RUNNING} is running"


def test_a_file_that_is_no_text_or_no_file_is_no_finding(tmp_path: Path) -> None:
    assert pin_findings(tmp_path, CATALOG) == []
    assert ids(tmp_path, b"\xff\x00neuron-cluster-toolkit\n") == []
    assert ids(tmp_path, b"\xff\nneuron-cluster-toolkit==0.0.1\n") == ["W1060"]
    (tmp_path / "requirements.txt").unlink()
    (tmp_path / "requirements.txt").mkdir()
    assert pin_findings(tmp_path, CATALOG) == []
