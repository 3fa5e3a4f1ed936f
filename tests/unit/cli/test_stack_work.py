"""Work on stacks whose connection to AWS is lost in the middle."""

from __future__ import annotations

import io
from typing import NoReturn

import pytest

from neuron_cluster.aws.errors import NoResponseError
from neuron_cluster.cli.stack_work import GOES_ON, with_progress
from neuron_cluster.deploy.destination import Destination, aws_destination, local_destination

ACCOUNT, REGION = "210987654321", "eu-north-1"
AWS = aws_destination(ACCOUNT, REGION)
LOCAL = local_destination("http://127.0.0.1:9", ACCOUNT, REGION)


@pytest.mark.parametrize(
    ("destination", "hint"), [(AWS, f"check the network; {GOES_ON}"), (LOCAL, "check the network")]
)
def test_a_lost_connection_names_the_next_step_where_the_work_goes_on(destination: Destination, hint: str) -> None:
    def lose(_: object) -> NoReturn:
        raise NoResponseError("no connection to AWS", hint="check the network")

    with pytest.raises(NoResponseError) as caught:
        with_progress(lose, destination, ["train-network"], io.StringIO())
    assert (caught.value.message, caught.value.hint) == ("no connection to AWS", hint)
