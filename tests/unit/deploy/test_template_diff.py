"""Making the two sides of ``diff``: at the same time, and ended together."""

from __future__ import annotations

import json
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


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at /proc")
def test_when_one_side_fails_the_other_is_not_waited_for(tmp_path: Path) -> None:
    """As with Ctrl-C: nothing goes on in the background, and nobody waits for it."""
    (tmp_path / "cdk.json").write_text(json.dumps({}))
    (tmp_path / "app.py").write_text(APP)
    with pytest.raises(SynthesisError, match="this is what is wrong"):
        diff_files(tmp_path, ("broken", tmp_path), ("endless", tmp_path))
    assert not Path("/proc", (tmp_path / "pid").read_text()).exists()
