"""Random environments live on the local AWS: deployed, edited, destroyed with their data, and nothing is left."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from drawn import MET, edits
from hypothesis import HealthCheck, Phase, event, given, settings
from local_life import Life, difference
from patience import Patience
from prepared_account import with_networks
from process_state import process_state
from slurm_places import ALL_ASPECTS, aspects, slurm_edits
from yaml_text import Edit

from local_aws.clients import close_clients
from local_aws.custom_resources.published_lambda import folder_of_programs
from local_aws.server import LocalAws
from neuron_cluster.findings.finding import has_error
from neuron_cluster.local_checks.product_local_aws import product_local_aws

FEW = 1
EXAMPLES = int(os.environ.get("NEURON_CLUSTER_EXAMPLES", FEW))
"""``NEURON_CLUSTER_EXAMPLES=320`` makes 200 lives: a file that is drawn again does not live again. Half an hour."""
WITH_SLURM = 40
"""So many of the exhaustive tests, the same ones each time."""
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The temporary folder of this process from here on, so that every file that is left is one of ours."""
    folder_of_programs()  # stays until the process ends
    with pytest.MonkeyPatch.context() as patch:
        path = tmp_path_factory.mktemp("left")
        patch.setenv("TMPDIR", str(path))
        patch.setattr(tempfile, "tempdir", str(path))
        yield path


@pytest.fixture(scope="module")
def aws(cdk: Any, folder: Path) -> Iterator[LocalAws]:
    with product_local_aws(principals_must_exist=True) as local_aws:
        yield local_aws


@pytest.fixture(scope="module")
def fates(pytestconfig: pytest.Config) -> Iterator[Counter[str]]:
    """How the lives went: edits that arrived, were refused, or made an environment next to the first. Prints them."""
    counted: Counter[str] = Counter()
    yield counted
    capture = pytestconfig.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled() if capture else contextlib.nullcontext():
        sys.stdout.write(f"\nlives: {counted.total()}, edits: {dict(counted)}, environments: {dict(MET)}\n")


def live(edit: Edit, aws: LocalAws) -> str:
    """Deploys, edits and destroys; says what became of the edit."""
    with tempfile.TemporaryDirectory() as before, tempfile.TemporaryDirectory() as after:
        old, new = with_networks(aws, edit.before, edit.after)
        first, second = Life(aws, old, Path(before)), Life(aws, new, Path(after))
        for life in (first, second):
            life.prepare()
        bare = {where: (life, life.retained()) for where, life in where_they_live(first, second).items()}
        first.deploy()
        assert first.changes().effects == ()
        fate = change(first, second)
        second.destroy()
        if first.place != second.place:
            first.destroy()
        for life, empty in bare.values():
            assert difference(empty, life.retained()) == {}
        for life in (first, second):
            life.close()
    return fate


def where_they_live(*lives: Life) -> dict[tuple[str, str], Life]:
    """One of the lives for each account and Region: most edits leave the environment where it is."""
    return {life.place[:2]: life for life in lives}


def change(first: Life, second: Life) -> str:
    """Deploys the edited file unless the toolkit refuses it."""
    standing = first.retained()
    changes = second.changes()
    if has_error(changes.findings):
        assert difference(standing, first.retained()) == {}
        return "refused"
    second.deploy()
    assert second.changes().effects == ()
    assert second.drifted() == {}
    if first.place == second.place:
        return "arrived"
    assert first.changes().effects == ()
    return "beside the first"


patience = Patience(seconds=90)
of_lives = functools.partial(
    settings,
    deadline=None,
    print_blob=True,
    report_multiple_bugs=False,
    phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],  # explaining lives whole lives anew
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.function_scoped_fixture],
)


def look_at(edit: Edit, aws: LocalAws, folder: Path, fates: Counter[str]) -> None:
    """Lives, and compares what the process has after it."""

    def look() -> None:
        stable = set(threading.enumerate())
        before = process_state(folder, stable)
        try:
            fate = live(edit, aws)
        finally:
            aws.empty()  # what a failure leaves is not the next life's, and each account costs memory
        close_clients(aws.endpoint)
        assert process_state(folder, stable) == before
        fates[fate] += 1
        event(fate)
        event(edit.path)

    patience.run(edit.text, look)


@pytest.mark.exhaustive
@of_lives(max_examples=EXAMPLES, derandomize=EXAMPLES == FEW)
@given(edit=edits())
def test_an_environment_is_deployed_edited_and_destroyed_without_a_leak(
    edit: Edit, aws: LocalAws, folder: Path, fates: Counter[str]
) -> None:
    """An allowed edit arrives, a refused one changes nothing, and in the end all is as it was."""
    look_at(edit, aws, folder, fates)


@pytest.mark.exhaustive
def test_an_environment_with_slurm_is_deployed_edited_and_destroyed_without_a_leak(
    aws: LocalAws, folder: Path, fates: Counter[str]
) -> None:
    """Each part that may be next to a Slurm cluster occurs."""
    lived: set[str] = set()

    @of_lives(max_examples=WITH_SLURM, derandomize=True)
    @given(edit=slurm_edits())
    def look(edit: Edit) -> None:
        look_at(edit, aws, folder, fates)
        lived.update(aspects(edit.before))

    look()
    assert lived == ALL_ASPECTS
