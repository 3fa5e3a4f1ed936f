"""The variables that bind the AWS tools to the local AWS."""

from __future__ import annotations

import os

import boto3
import pytest

from local_aws.environment import in_the_way, local_environment, scrubbed

ENDPOINT = "http://127.0.0.1:1"
WAYS_OUT = {
    "AWS_PROFILE": "production",
    "AWS_SESSION_TOKEN": "t",
    "AWS_ENDPOINT_URL_S3": "https://s3.example.com",
    "AWS_ENDPOINT_URL_S3_FOR_CLOUDFORMATION": "https://s3.example.com",
    "AWS_ROLE_ARN": "arn:aws:iam::1:role/r",
    "AWS_WEB_IDENTITY_TOKEN_FILE": "/token",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://169.254.170.2/",
    "AWS_CA_BUNDLE": "/ca",
    "AWS_DATA_PATH": "/models",
    "HTTPS_PROXY": "http://proxy",
    "https_proxy": "http://proxy",
    "All_Proxy": "socks5://proxy",
    "NO_PROXY": "nothing",
}


@pytest.mark.parametrize("name", sorted(WAYS_OUT))
def test_no_variable_of_the_caller_survives(name):
    variables = scrubbed({name: WAYS_OUT[name]}, local_environment(ENDPOINT, "111122223333", "eu-west-1"))
    assert variables.get(name) != WAYS_OUT[name]


def test_everything_else_of_the_caller_stays():
    given = {"PATH": "/bin", "HOME": "/home/u", "MY_AWS_NOTE": "x"}
    assert given.items() <= scrubbed(given, {"AWS_REGION": "r"}).items()


@pytest.mark.parametrize("service", ["s3", "sts", "cloudformation", "iam"])
def test_boto3_sees_only_the_local_endpoint_and_the_account(monkeypatch, tmp_path, service):
    """Whatever profile, configuration file, key or endpoint the caller has."""
    config = tmp_path / "config"
    config.write_text("[profile production]\nregion = us-east-1\nendpoint_url = https://example.com\n")
    caller = {**WAYS_OUT, "AWS_CONFIG_FILE": str(config), "AWS_ACCESS_KEY_ID": "AKIAREAL", "AWS_SECRET_ACCESS_KEY": "s"}
    for name in os.environ:
        monkeypatch.delenv(name)
    for name, value in scrubbed(caller, local_environment(ENDPOINT, "111122223333", "eu-west-1")).items():
        monkeypatch.setenv(name, value)
    session = boto3.session.Session()
    client = session.client(service)
    assert client.meta.endpoint_url == ENDPOINT
    assert (session.profile_name, session.region_name) == ("default", "eu-west-1")
    credentials = session.get_credentials()
    assert (credentials.access_key, credentials.token) == ("111122223333", None)
    client.close()


@pytest.mark.slow
def test_boto3_answers_in_a_shell_that_unset_and_exported_what_was_printed(monkeypatch, local_aws):
    caller = {**WAYS_OUT, "AWS_USE_FIPS_ENDPOINT": "true", "AWS_USE_DUALSTACK_ENDPOINT": "true"}
    left = {"AWS_CA_BUNDLE", "AWS_DATA_PATH", "HTTPS_PROXY", "https_proxy", "All_Proxy"}
    for name in os.environ:
        monkeypatch.delenv(name)
    for name in set(caller) - set(in_the_way(caller)) - left:
        monkeypatch.setenv(name, caller[name])
    for name, value in local_environment(local_aws.endpoint, "111122223333", "eu-west-1").items():
        monkeypatch.setenv(name, value)
    client = boto3.session.Session().client("sts")
    assert client.get_caller_identity()["Account"] == "111122223333"
    client.close()
