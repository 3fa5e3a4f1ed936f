"""A local AWS for the tests of one module, with ground for a cluster, and calls that are refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local_aws.clients import local_client
from local_aws.server import LocalAws
from neuron_cluster.local_checks.product_local_aws import product_local_aws

ACCOUNT, REGION = "500000000000", "us-west-2"


@pytest.fixture(scope="module")
def local_aws() -> Iterator[LocalAws]:
    with product_local_aws() as running:
        yield running


@pytest.fixture(scope="module")
def client(local_aws: LocalAws) -> Callable[[str], Any]:
    return lambda service: local_client(service, local_aws.endpoint, ACCOUNT, REGION)


@pytest.fixture
def refused() -> Callable[..., tuple[str, str]]:
    """Calls, and gives code and message of the refusal."""

    def refuse(call: Callable[..., Any], **parameters: Any) -> tuple[str, str]:
        with pytest.raises(ClientError) as error:
            call(**parameters)
        return error.value.response["Error"]["Code"], error.value.response["Error"]["Message"]

    return refuse
