"""Clients reach their target and nothing else."""

from __future__ import annotations

import pytest
from botocore.utils import parse_timestamp

from neuron_cluster.aws.session import AwsTarget, LocalTarget, _point_in_time, client, close_clients
from neuron_cluster.errors import ToolkitError

LOCAL = LocalTarget("eu-north-1", "210987654321", "http://127.0.0.1:9")

USERS_OWN = {
    "AWS_PROFILE": "prod",
    "AWS_ACCESS_KEY_ID": "AKIAIOSFODNN7EXAMPLE",
    "AWS_SECRET_ACCESS_KEY": "secret",
    "AWS_SESSION_TOKEN": "token",
    "AWS_ENDPOINT_URL": "https://example.com",
    "AWS_ENDPOINT_URL_S3": "https://s3.example.com",
    "AWS_REGION": "us-east-1",
    "HTTPS_PROXY": "http://203.0.113.1:3128",
    "HTTP_PROXY": "http://203.0.113.1:3128",
}


@pytest.mark.parametrize("service", ["s3", "sts", "cloudformation"])
def test_a_local_client_is_blind_to_the_users_environment(service: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in USERS_OWN.items():
        monkeypatch.setenv(name, value)
    found = client(LOCAL, service)
    try:
        assert found.meta.endpoint_url == LOCAL.endpoint
        assert found.meta.region_name == LOCAL.region
        assert found._request_signer._credentials.access_key == LOCAL.account
        assert found._request_signer._credentials.token is None
        assert found.meta.config.proxies == {}
    finally:
        close_clients(LOCAL)


def test_a_client_is_made_once_and_anew_after_closing() -> None:
    first = client(LOCAL, "sts")
    assert client(LOCAL, "sts") is first
    close_clients(LOCAL)
    assert client(LOCAL, "sts") is not first
    close_clients(LOCAL)


def test_clients_of_aws_share_credentials_until_closing(monkeypatch: pytest.MonkeyPatch) -> None:
    target = AwsTarget("eu-north-1")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7EXAMPLE")
    first = client(target, "sts")._request_signer._credentials
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIAI44QH8DHBEXAMPLE")
    assert client(target, "ssm")._request_signer._credentials is first
    close_clients(target)
    assert client(target, "ssm")._request_signer._credentials.access_key == "AKIAI44QH8DHBEXAMPLE"
    close_clients(target)


def test_an_unknown_profile_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_PROFILE", "no-such-profile")
    with pytest.raises(ToolkitError, match="no-such-profile") as caught:
        client(AwsTarget("us-west-2"), "sts")
    assert "AWS_PROFILE" in caught.value.hint


@pytest.mark.parametrize(
    "written",
    [
        "2026-11-22T00:25:01Z",
        "2026-11-22T00:25:01.123Z",
        "2026-11-22T00:25:01.123456+01:00",
        "20261122T002501Z",
        "Sun, 22 Nov 2026 00:25:01 GMT",
        "1763770000",
        "1763770000.5",
        1763770000,
        1763770000.5,
    ],
)
def test_points_in_time_are_read_as_botocore_reads_them(written: str | float) -> None:
    assert _point_in_time(written) == parse_timestamp(written)
