"""Answers to calls that read resources: each call is made once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from botocore.stub import Stubber

from neuron_cluster.aws.errors import NoResponseError
from neuron_cluster.aws.reading import NotRead
from neuron_cluster.aws.resource_source import CallError, ResourceSource, reading_of
from neuron_cluster.aws.session import LocalTarget, client, close_clients

NOWHERE = LocalTarget("us-west-2", "111122223333", "http://127.0.0.1:9")


@pytest.fixture
def source() -> Iterator[ResourceSource]:
    yield ResourceSource(NOWHERE, NOWHERE.account)
    close_clients(NOWHERE)


def test_a_call_is_made_once_and_answered_in_the_spelling_of_cloudformation(source: ResourceSource) -> None:
    with Stubber(client(NOWHERE, "eks")) as stub:
        stub.add_response("describe_addon", {"addon": {"addonName": "a"}}, {"clusterName": "c", "addonName": "a"})
        parameters = {"ClusterName": "c", "addonName": "a"}
        answers = [source.answer("eks", "DescribeAddon", parameters) for _ in range(2)]
    assert answers == [{"Addon": {"AddonName": "a"}}] * 2
    assert source.calls == {"eks:DescribeAddon": 1}


def test_a_denied_call_names_its_service_and_is_not_made_again(source: ResourceSource) -> None:
    with Stubber(client(NOWHERE, "eks")) as stub:
        stub.add_client_error("describe_cluster", "AccessDeniedException", "no")
        found = [reading_of(lambda: source.answer("eks", "DescribeCluster", {"name": "c"})) for _ in range(2)]
    assert [isinstance(each, NotRead) and (each.call, each.is_denied) for each in found] == [
        ("eks:DescribeCluster", True)
    ] * 2
    assert source.calls == {"eks:DescribeCluster": 1}


@pytest.mark.parametrize(("code", "is_absence"), [("ResourceNotFoundException", True), ("AccessDenied", False)])
def test_absence_is_an_error_code(code: str, is_absence: bool, source: ResourceSource) -> None:
    with Stubber(client(NOWHERE, "eks")) as stub:
        stub.add_client_error("describe_cluster", code, "")
        with pytest.raises(CallError) as caught:
            source.answer("eks", "DescribeCluster", {"name": "c"})
    assert source.is_absence(caught.value) is is_absence


def test_after_a_lost_connection_no_further_call_is_made(source: ResourceSource) -> None:
    for operation in ("ListClusters", "DescribeAddonVersions"):
        with pytest.raises(NoResponseError):
            source.answer("eks", operation, {})
    assert source.calls == {"eks:ListClusters": 1}
