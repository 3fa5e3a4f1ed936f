"""The starter training job of a team, by the command in its pack: it completes, and one node more is not admitted."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path

import pytest

from neuron_cluster.cli.main import main
from neuron_cluster.opened_environment import opened_environment
from neuron_cluster.rehearsal import namespaces
from neuron_cluster.schedulers.kubernetes.team_pages.starter_jobs import StarterJob, render_command
from tests.five_teams import GROUP, ROOT, team, written_with_teams
from tests.unit.handover.packs import pack_of

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(namespaces.why_unsupported() is not None, reason="this machine lets no user create namespaces"),
]
QUICK = ("--trainer", "plain", "--time", "image_pull=60", "--compile-seconds", "60", "--limit", "1")


@pytest.mark.parametrize("more", [0, 1])
def test_the_starter_job_is_as_large_as_kueue_admits(tmp_path: Path, more: int) -> None:
    """With one node more it is larger than quota and borrowing, and no pod would ever run."""
    file = written_with_teams(tmp_path, [team("research", quota=[{"node_group": GROUP, "devices": 16, "borrow": 0}])])
    opened = opened_environment(str(file), str(ROOT), is_local=False)
    job = pack_of(opened, "research").hand_over.training
    assert isinstance(job, StarterJob)
    assert job.size.nodes == 1
    arguments = render_command(job, str(file)).split()[3:]
    arguments[arguments.index("--nodes") + 1] = str(job.size.nodes + more)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        main(["workload", "rehearse", *arguments, "--project", str(ROOT), "--format", "json", *QUICK])
    outcome = json.loads(printed.getvalue())
    assert outcome.get("ended") == (None if more else "Completed")
    assert ("E9299" in {each["id"] for each in outcome.get("findings", [])}) is bool(more)
