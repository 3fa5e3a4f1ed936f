"""Exceptions of boto3 become sentences that say what to do."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from botocore import exceptions as sdk
from botocore.parsers import ResponseParserError

from local_aws.run_secrets import forget_secret, remember_secret
from neuron_cluster.aws.errors import AwsApiError, translated
from neuron_cluster.errors import ToolkitError


def answer(code: str, message: str = "said AWS") -> sdk.ClientError:
    return sdk.ClientError({"Error": {"Code": code, "Message": message}}, "DescribeStacks")


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("ExpiredToken", "expired"),
        ("InvalidClientTokenId", "does not accept these credentials"),
        ("AccessDenied", "access denied: DescribeStacks (said AWS)"),
        ("UnauthorizedOperation", "access denied"),
        ("ThrottlingException", "throttled"),
        ("OptInRequired", "may not use"),
        ("SomethingNew", "DescribeStacks failed: SomethingNew: said AWS"),
    ],
)
def test_an_answer_of_aws_keeps_its_code(code: str, sentence: str) -> None:
    with pytest.raises(AwsApiError, match=r".") as caught, translated():
        raise answer(code)
    assert sentence in caught.value.message
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("error", "sentence", "hint"),
    [
        (sdk.NoCredentialsError(), "no usable AWS credentials", "--local"),
        (sdk.TokenRetrievalError(provider="sso", error_msg="gone"), "sign-in has ended", "aws sso login"),
        (sdk.ProfileNotFound(profile="prod"), "prod", "AWS_PROFILE"),
        (sdk.NoRegionError(), "no AWS Region", "region:"),
        (sdk.EndpointConnectionError(endpoint_url="https://sts"), "no connection to AWS", "network"),
        (sdk.ConnectTimeoutError(endpoint_url="https://sts"), "no connection to AWS", "network"),
        (sdk.ReadTimeoutError(endpoint_url="https://sts"), "no connection to AWS", "network"),
        (sdk.InvalidRegionError(region_name="x y"), "SDK failed", "configuration"),
    ],
)
def test_no_answer_says_what_to_look_at(error: sdk.BotoCoreError, sentence: str, hint: str) -> None:
    with pytest.raises(ToolkitError) as caught, translated():
        raise error
    assert sentence in caught.value.message
    assert hint in caught.value.hint


def test_other_errors_are_not_ours_to_translate() -> None:
    with pytest.raises(KeyError), translated():
        raise KeyError("a mistake in our own code")


def test_an_answer_that_no_service_gives_is_told_apart_from_a_refusal() -> None:
    with pytest.raises(ToolkitError, match="the response is not from AWS") as caught, translated():
        raise ResponseParserError("<html>")
    assert "HTTPS_PROXY" in caught.value.hint


@pytest.fixture
def local_endpoint() -> Iterator[str]:
    remember_secret("http://127.0.0.1:9", "a secret")
    yield "http://127.0.0.1:9"
    forget_secret("http://127.0.0.1:9")


@pytest.mark.parametrize("lost", [sdk.EndpointConnectionError, sdk.ConnectionClosedError, sdk.ConnectTimeoutError])
def test_a_local_aws_that_has_ended_is_no_trouble_with_the_network(
    local_endpoint: str, lost: type[sdk.BotoCoreError]
) -> None:
    with pytest.raises(ToolkitError) as caught, translated():
        raise lost(endpoint_url=f"{local_endpoint}/", error="refused")
    assert caught.value.message == f"the local AWS at {local_endpoint} has ended, and everything in it is gone"
    assert "`neuron-cluster local`" in caught.value.hint
    assert "VPN" not in caught.value.hint


def test_a_local_aws_that_hangs_is_not_said_to_have_ended(local_endpoint: str) -> None:
    with pytest.raises(ToolkitError, match="does not respond"), translated():
        raise sdk.ReadTimeoutError(endpoint_url=local_endpoint)


def test_the_port_alone_does_not_make_it_the_local_aws(local_endpoint: str) -> None:
    with pytest.raises(ToolkitError, match="no connection to AWS"), translated():
        raise sdk.EndpointConnectionError(endpoint_url=f"{local_endpoint}0/")


def test_words_of_a_service_cannot_rewrite_the_terminal() -> None:
    with pytest.raises(AwsApiError) as caught, translated():
        raise answer("Odd", "a\x1b]0;title\x07b\x9b31mc\rd\u202ee")
    assert caught.value.message.endswith(r"a\x1b]0;title\x07b\x9b31mc\rd\u202ee")
    assert str(caught.value) == caught.value.message
