"""Requests that replace or reboot nodes: in batches as large as the API takes, and followed until nodes are back."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from neuron_cluster.aws.errors import AwsApiError, NoResponseError
from neuron_cluster.deploy.deployed_nodes import ChosenNodes
from neuron_cluster.protocol.nodes import GroupProgress, NodeAnswer, NodeQuery, NodeRejection, Waited

POLL_SECONDS, LOCAL_POLL_SECONDS = 15.0, 0.1
"""How often nodes are listed: a replacement takes minutes on AWS, and ends at once on the local AWS."""
NO_RESPONSE, NOT_SENT = "NoResponse", "NotSent"
"""Codes of the toolkit, for nodes of a request without an answer, and of requests after one that failed."""


Progress = Callable[[Sequence[GroupProgress], float], None]


def request_nodes(query: NodeQuery, chosen: ChosenNodes) -> tuple[NodeAnswer, ...]:
    """Makes the requests, and returns an answer for each node. After a request that failed none follows.

    Nodes of earlier requests are being changed then, so that an error is an answer, and not an exception.
    """
    most = chosen.action.most(query.catalog)
    answers: list[NodeAnswer] = []
    failure: NodeRejection | None = None
    for first in range(0, len(chosen.nodes), most):
        batch = chosen.nodes[first : first + most]
        if failure is not None:
            hint = "run the command again for these nodes when the cause is removed"
            rest = NodeRejection(NOT_SENT, "not requested, since an earlier request failed", hint)
            answers += [NodeAnswer(node, rest) for node in batch]
            continue
        try:
            rejected = chosen.action.request(query, [node.id for node in batch])
        except AwsApiError as error:
            failure = NodeRejection(error.code, error.message, error.hint)
        except NoResponseError as error:
            hint = f"whether it was accepted is not known: `{query.toolkit_command('node list')}` shows the nodes"
            failure = NodeRejection(NO_RESPONSE, error.message, hint)
        else:
            answers += [NodeAnswer(node, rejected.get(node.id)) for node in batch]
            continue
        answers += [NodeAnswer(node, failure) for node in batch]
    return tuple(answers)


def await_nodes(
    query: NodeQuery, chosen: ChosenNodes, answers: Sequence[NodeAnswer], limit_seconds: float, progress: Progress
) -> Waited:
    """Reports each reading until the accepted nodes are back or have failed, or the time is over."""
    asked = [answer.node for answer in answers if answer.is_accepted]
    watch = chosen.action.watch(query, asked, chosen.all.nodes)
    began = time.monotonic()
    pause = LOCAL_POLL_SECONDS if query.access.is_local else POLL_SECONDS
    while True:
        nodes = chosen.all.service.nodes(query) or ()
        waited = Waited(watch.look(nodes, time.monotonic() - began), time.monotonic() - began)
        progress(waited.groups, waited.seconds)
        if waited.is_over or waited.seconds >= limit_seconds:
            return waited
        time.sleep(pause)
