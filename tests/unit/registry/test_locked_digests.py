"""A deploy compares the digests of its lock with what registries have, asked of a real HTTP server."""

from __future__ import annotations

import socket

import pytest

from neuron_cluster.aws.session import AwsTarget
from neuron_cluster.deploy.lock_resolver import LockResolver, ResolvedLockInputs
from neuron_cluster.deploy.locked_digests import digest_findings
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.lock.inputs import ChartInput, LockInputs
from neuron_cluster.lock.model import Lock, LockedArtifact
from neuron_cluster.registry.registries import Registries

from .conftest import DIGEST, Registry

OTHER = f"sha256:{'f' * 64}"


def findings(registry: Registry, chart: str | None, image: str | None) -> list[Finding]:
    name = f"{registry.host}/team/image:1.0_x"
    charts = {"image": LockedArtifact("1.0+x", chart)}
    lock = Lock("a", "111122223333", "us-west-2", "1.35", charts=charts, images={name: image})
    question = ChartInput("image", "1.0+x", f"oci://{registry.host}/team/image")
    registries = Registries(lambda: "", (), ())
    return list(digest_findings(lock, [question], [name], registries, Location("lock"), "neuron-cluster lock a"))


def test_what_still_has_its_digest_is_no_finding(registry: Registry) -> None:
    assert findings(registry, DIGEST, DIGEST) == []


@pytest.mark.hints("E9547")
def test_another_digest_of_a_chart_or_an_image_is_refused(registry: Registry) -> None:
    chart, image = findings(registry, OTHER, OTHER)
    assert (chart.id, image.id) == ("E9547", "E9547")
    assert "chart image 1.0+x has digest" in chart.message
    assert "`neuron-cluster lock a`" in chart.hint
    assert findings(registry, DIGEST, DIGEST) == [], "as that command writes them"


def test_digests_that_the_lock_does_not_know_are_not_asked_for(registry: Registry) -> None:
    assert findings(registry, None, None) == []
    assert registry.asked == []


@pytest.mark.hints("W9108")
def test_a_digest_is_known_when_the_lock_is_written_again_where_the_registry_answers(registry: Registry) -> None:
    """As the hint of W9108 says."""
    questions = LockInputs(
        "a", "111122223333", "us-west-2", None, {}, {}, (), (), (f"{registry.host}/team/image:1.0_x",)
    )

    def answers() -> ResolvedLockInputs:
        return LockResolver(AwsTarget("us-west-2"), Registries(lambda: "", (), ()), print).resolve(questions)

    registry.needs_token, registry.token_answer = True, b"none"
    assert len(answers().unresolved) == 1
    registry.needs_token = False
    again = answers()
    assert (list(again.lock.images.values()), again.unresolved) == ([DIGEST], ())


def test_a_chart_of_a_user_that_is_not_pushed_is_reported_with_the_commands(registry: Registry) -> None:
    """Other charts, and a registry that does not respond, have no such remedy."""

    def hints(version: str, remedy: str) -> list[str]:
        chart = ChartInput("image", version, f"oci://{registry.host}/team/image", remedy)
        questions = LockInputs("a", "111122223333", "us-west-2", None, {}, {}, (), (chart,), ())
        resolver = LockResolver(AwsTarget("us-west-2"), Registries(lambda: "", (), ()), print)
        return [each.hint for each in resolver.resolve(questions).unresolved]

    assert hints("1.0+x", "build it") == []
    assert hints("2.0", "build it") == ["build it"]
    assert hints("2.0", "") == [""]
    registry.needs_token, registry.token_answer = True, b"none"
    assert hints("2.0", "build it") == [""]


def test_a_registry_that_does_not_answer_is_a_warning(registry: Registry) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    lock = Lock("a", "111122223333", "us-west-2", "1.35", images={f"127.0.0.1:{port}/a:1": DIGEST})
    [finding] = digest_findings(
        lock, [], [f"127.0.0.1:{port}/a:1"], Registries(lambda: "", (), ()), Location("lock"), "again"
    )
    assert (finding.id, "was not compared" in finding.message) == ("W9545", True)
