"""Variables of the user's environment in a child process."""

from __future__ import annotations

from neuron_cluster.deploy.destination import aws_destination, local_destination

USERS_OWN = {
    "PATH": "/usr/bin",
    "HOME": "/home/somebody",
    "AWS_PROFILE": "prod",
    "AWS_ACCESS_KEY_ID": "AKIAIOSFODNN7EXAMPLE",
    "AWS_SESSION_TOKEN": "token",
    "AWS_ENDPOINT_URL_S3": "https://s3.example.com",
    "AWS_WEB_IDENTITY_TOKEN_FILE": "/token",
    "HTTPS_PROXY": "http://203.0.113.1:3128",
    "https_proxy": "http://203.0.113.1:3128",
}


def test_nothing_that_reaches_aws_survives_for_the_local_one() -> None:
    seen = local_destination("http://127.0.0.1:5055", "210987654321", "eu-north-1").child_environment(USERS_OWN)
    assert seen["AWS_ENDPOINT_URL"] == "http://127.0.0.1:5055"
    assert seen["AWS_ACCESS_KEY_ID"] == "210987654321"
    assert seen["AWS_REGION"] == "eu-north-1"
    gone = {"AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL_S3", "AWS_WEB_IDENTITY_TOKEN_FILE"}
    assert not gone & set(seen)
    assert not {"HTTPS_PROXY", "https_proxy"} & set(seen)


def test_aws_gets_the_users_credentials_and_the_files_region() -> None:
    seen = aws_destination("210987654321", "eu-north-1").child_environment(USERS_OWN)
    assert seen["AWS_PROFILE"] == "prod"
    assert seen["AWS_REGION"] == "eu-north-1"


def test_the_tokens_of_a_ci_job_stay_behind() -> None:
    held = {**USERS_OWN, "GITHUB_TOKEN": "ghs_x", "CI_JOB_TOKEN": "x", "NPM_TOKEN": "x"}
    for destination in (
        aws_destination("210987654321", "eu-north-1"),
        local_destination("http://127.0.0.1:5055", "210987654321", "eu-north-1"),
    ):
        assert not {"GITHUB_TOKEN", "CI_JOB_TOKEN", "NPM_TOKEN"} & set(destination.child_environment(held))


def test_node_comes_first_and_the_cdk_command_asks_nobody_about_versions() -> None:
    seen = aws_destination("210987654321", "eu-north-1").child_environment(USERS_OWN)
    assert seen["PATH"].endswith("/usr/bin")
    assert seen["PATH"] != "/usr/bin"
    assert seen["CDK_DISABLE_CLI_TELEMETRY"] == "true"
    assert seen["CDK_DISABLE_VERSION_CHECK"] == "true"
