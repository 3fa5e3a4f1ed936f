"""Making the two sides of ``diff``: at the same time, and ended together."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path

import pytest

from neuron_cluster.deploy.synthesis import SynthesisError
from neuron_cluster.deploy.template_diff import diff_files

APP = """
import json, os, pathlib, sys, time
here = pathlib.Path(__file__).parent
if json.loads(os.environ["CDK_CONTEXT_JSON"])["environment"] == "endless":
    (here / "pid").write_text(str(os.getpid()))
    time.sleep(600)
while not (here / "pid").exists() or not (here / "pid").read_text():
    time.sleep(0.01)
sys.exit("this is what is wrong")
"""

VALIDATING_APP = """
import json, os, pathlib, sys, time
here, out = pathlib.Path(__file__).parent, pathlib.Path(os.environ["CDK_OUTDIR"])
(out / "cdk.out").write_text("{}")
(out / "manifest.json").write_text('{"artifacts": {')
(out / "manifest.json").write_text('{"artifacts": {}}')
while not (here / "is-shown").exists():
    time.sleep(0.01)
sys.exit("a violation" if json.loads(os.environ["CDK_CONTEXT_JSON"])["environment"] == "broken" else 0)
"""
"""It validates until the diff is shown."""


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at /proc")
def test_when_one_side_fails_the_other_is_not_waited_for(tmp_path: Path) -> None:
    """As with Ctrl-C: nothing goes on in the background, and nobody waits for it."""
    (tmp_path / "cdk.json").write_text(json.dumps({}))
    (tmp_path / "app.py").write_text(APP)
    with pytest.raises(SynthesisError, match="this is what is wrong"), ExitStack() as validations:
        diff_files(tmp_path, ("broken", tmp_path), ("endless", tmp_path), validations)
    assert not Path("/proc", (tmp_path / "pid").read_text()).exists()


@pytest.mark.parametrize("old", ["valid", "broken"])
def test_the_diff_is_returned_before_the_validation_ends_which_raises_a_violation(old: str, tmp_path: Path) -> None:
    (tmp_path / "cdk.json").write_text(json.dumps({}))
    (tmp_path / "app.py").write_text(VALIDATING_APP)
    shown = []

    def show() -> None:
        with ExitStack() as validations:
            shown.append(diff_files(tmp_path, (old, tmp_path), ("new", tmp_path), validations))
            (tmp_path / "is-shown").touch()

    if old == "valid":
        show()
    else:
        with pytest.raises(SynthesisError, match="a violation"):
            show()
    assert [diff.is_none for diff in shown] == [True]


def test_a_command_that_fails_does_not_wait_for_the_validation(tmp_path: Path) -> None:
    (tmp_path / "cdk.json").write_text(json.dumps({}))
    (tmp_path / "app.py").write_text(VALIDATING_APP)

    def interrupted(validations: ExitStack) -> None:
        diff_files(tmp_path, ("valid", tmp_path), ("new", tmp_path), validations)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), ExitStack() as validations:
        interrupted(validations)
