"""One request to an OpenAI-compatible server, with the time of each chunk that it streams."""

from __future__ import annotations

import http.client
import json
import os
import random
import ssl
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from serving_plan import ServingPlan

FIRST_TOKEN_ID, TOKEN_IDS = 1_000, 20_000
"""Ordinary tokens in the vocabularies of Llama, Qwen, Mistral and gpt-oss, whose special tokens are elsewhere."""
END_OF_STREAM = "[DONE]"
LONGEST_WORDS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Of one request. ``error`` is empty for a complete answer; ``tokens`` are those that the server counted."""

    first_token_seconds: float = 0.0
    seconds: float = 0.0
    tokens: int = 0
    prompt_tokens: int = 0
    error: str = ""


class RequestFailed(Exception):
    """Its text is the kind of the error, which the report counts by."""


def connection(plan: ServingPlan) -> http.client.HTTPConnection:
    if plan.is_tls:
        context = ssl.create_default_context()
        return http.client.HTTPSConnection(plan.host, timeout=plan.request_timeout_seconds, context=context)
    return http.client.HTTPConnection(plan.host, timeout=plan.request_timeout_seconds)


def headers() -> dict[str, str]:
    """With the key of the chart's Secret, if there is one."""
    key = os.environ.get("SERVER_API_KEY", "")
    return {"Content-Type": "application/json", **({"Authorization": f"Bearer {key}"} if key else {})}


def body(plan: ServingPlan, model: str, number: int) -> Mapping[str, Any]:
    """A prompt of exactly so many tokens, another one for each request: a prefix cache must not answer it."""
    source = random.Random(f"{plan.seed} {number}")  # noqa: S311  the same load in each run
    prompt = [FIRST_TOKEN_ID + source.randrange(TOKEN_IDS) for _ in range(plan.input_tokens)]
    return {
        "model": model,
        "prompt": prompt,
        "max_tokens": plan.output_tokens,
        "temperature": 0,
        "stream": True,
        "stream_options": {"include_usage": True},
        # An extension of vLLM: each answer has its full length, so that runs can be compared.
        **({"ignore_eos": True} if plan.ignore_eos else {}),
    }


def ask(plan: ServingPlan, model: str, number: int) -> Answer:
    """Never raises for what a server or a network does: the answer has the error."""
    server = connection(plan)
    try:
        return _streamed(plan, server, json.dumps(body(plan, model, number)))
    except RequestFailed as failure:
        return Answer(error=str(failure))
    except TimeoutError:
        return Answer(error=f"no data for {plan.request_timeout_seconds:g} s")
    except http.client.HTTPException as failure:
        return Answer(error=f"the stream was cut ({type(failure).__name__})")
    except OSError as failure:
        return Answer(error=f"the connection failed ({failure.strerror or type(failure).__name__})")
    finally:
        server.close()


def _streamed(plan: ServingPlan, server: http.client.HTTPConnection, text: str) -> Answer:
    begin = time.monotonic()
    server.request("POST", f"{plan.prefix}/v1/completions", text, headers())
    response = server.getresponse()
    if response.status != http.client.OK:
        raise RequestFailed(f"HTTP {response.status}: {words_of_error(response.read())}")
    first = last = 0.0
    chunks = tokens = prompt_tokens = 0
    for event in _events(response, begin + plan.request_timeout_seconds):
        if event.get("error"):
            raise RequestFailed(f"error in the stream: {words_of_error(json.dumps(event).encode())}")
        if event.get("choices"):
            last = time.monotonic() - begin
            first = first or last
            chunks += 1
        if usage := event.get("usage"):
            tokens, prompt_tokens = usage.get("completion_tokens", 0), usage.get("prompt_tokens", 0)
    if not chunks:
        raise RequestFailed("the answer has no token")
    return Answer(first_token_seconds=first, seconds=last, tokens=tokens or chunks, prompt_tokens=prompt_tokens)


def _events(response: http.client.HTTPResponse, deadline: float) -> Iterator[Mapping[str, Any]]:
    """The objects behind ``data:`` until the end of the stream, which must be said: a cut one ends without it."""
    while line := response.readline():
        if time.monotonic() > deadline:
            raise RequestFailed("the answer did not end in time (timeouts.requestSeconds)")
        name, _, data = line.decode("utf-8", "replace").strip().partition(":")
        if name != "data":
            continue  # empty lines between events, and comments that keep the connection open
        if data.strip() == END_OF_STREAM:
            return
        yield _event(data)
    raise RequestFailed(f"the stream was cut (no {END_OF_STREAM})")


def _event(data: str) -> Mapping[str, Any]:
    try:
        event = json.loads(data)
    except json.JSONDecodeError as failure:
        raise RequestFailed("the stream has an event that is not JSON") from failure
    if not isinstance(event, dict):
        raise RequestFailed("the stream has an event that is not an object")
    return event


def words_of_error(answer: bytes) -> str:
    """The message of an error as OpenAI's API and vLLM write it, else the beginning of the text."""
    text = answer.decode("utf-8", "replace").strip()
    try:
        document = json.loads(text)
    except json.JSONDecodeError:
        return text[:LONGEST_WORDS] or "no text"
    inner = document.get("error", document) if isinstance(document, dict) else document
    message = inner.get("message", inner) if isinstance(inner, dict) else inner
    return str(message)[:LONGEST_WORDS]
