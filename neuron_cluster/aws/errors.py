"""Errors of AWS and its SDK, with messages and hints for the user."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from botocore import exceptions as sdk
from botocore.parsers import ResponseParserError

from local_aws.run_secrets import local_endpoint
from neuron_cluster.errors import ToolkitError

SIGN_IN = "sign in again (`aws sso login`, or fresh keys), then check with `aws sts get-caller-identity`"

_EXPIRED = ("ExpiredToken", "ExpiredTokenException", "RequestExpired", "TokenRefreshRequired")
_CODES: dict[str, tuple[str, str]] = {
    **dict.fromkeys(
        _EXPIRED,
        ("your AWS credentials have expired", SIGN_IN),
    ),
    **dict.fromkeys(
        ("InvalidClientTokenId", "UnrecognizedClientException", "InvalidAccessKeyId", "SignatureDoesNotMatch",
         "AuthFailure"),
        ("AWS does not accept these credentials", "check AWS_PROFILE, the keys, and whether the Region is enabled"),
    ),
    **dict.fromkeys(
        ("OptInRequired", "SubscriptionRequiredException"),
        ("this account may not use the service in this Region", "enable the Region, or finish the account's sign-up"),
    ),
}  # fmt: skip
_DENIED = frozenset({"AccessDenied", "AccessDeniedException", "UnauthorizedOperation", "Client.UnauthorizedOperation"})
_SLOW_DOWN = frozenset({"Throttling", "ThrottlingException", "RequestLimitExceeded", "TooManyRequestsException"})


class AwsApiError(ToolkitError):
    """AWS returned an error; ``code`` is the service's error code."""

    finding_id = "E9527"

    def __init__(self, message: str, *, code: str, hint: str = "", operation: str = "") -> None:
        super().__init__(message, hint=hint)
        self.code = code
        self.operation = operation
        """The call that failed, such as ``DescribeCluster``; empty where the error is of one object of a call."""

    @property
    def is_denied(self) -> bool:
        """Whether the caller lacks the permission: the requested resource may exist or not."""
        return self.code in _DENIED

    @property
    def is_expired(self) -> bool:
        """Whether the credentials have expired: every other call fails too."""
        return self.code in _EXPIRED


class NoResponseError(ToolkitError):
    """There are no credentials, or AWS does not respond."""

    finding_id = "E9528"


class NoCredentialsError(NoResponseError):
    """There are no credentials for any Region: no request was sent."""


@contextlib.contextmanager
def translated() -> Iterator[None]:
    """Converts exceptions of boto3 into ``AwsApiError`` (an error response of AWS) or ``NoResponseError``."""
    try:
        yield
    except sdk.ClientError as error:
        raise _api_error(error) from error
    except sdk.BotoCoreError as error:
        raise _lost_local_aws(error) or _no_response(error) from error
    except ResponseParserError as error:
        hint = "a proxy in between, or another server at this address? check HTTPS_PROXY and AWS_ENDPOINT_URL"
        raise NoResponseError("the response is not from AWS and cannot be read", hint=hint) from error


def _api_error(error: sdk.ClientError) -> AwsApiError:
    answer = error.response.get("Error", {})
    code, message = str(answer.get("Code", "")), str(answer.get("Message", ""))
    if code in _CODES:
        sentence, hint = _CODES[code]
        return AwsApiError(
            f"{sentence} ({error.operation_name}: {code})", code=code, hint=hint, operation=error.operation_name
        )
    if code in _DENIED:
        hint = "request this permission, or use another role; this call changed nothing"
        denied = f"access denied: {error.operation_name} ({message})"
        return AwsApiError(denied, code=code, hint=hint, operation=error.operation_name)
    if code in _SLOW_DOWN:
        slow, hint = f"AWS throttled {error.operation_name}", "try again in a minute"
        return AwsApiError(slow, code=code, hint=hint, operation=error.operation_name)
    failed = f"{error.operation_name} failed: {code}: {message}"
    return AwsApiError(failed, code=code, operation=error.operation_name)


def _no_response(error: sdk.BotoCoreError) -> NoResponseError:
    match error:
        case sdk.NoCredentialsError() | sdk.PartialCredentialsError() | sdk.CredentialRetrievalError():
            hint = "sign in (`aws sso login`, `aws configure`, or keys), or use --local, which requires no account"
            return NoCredentialsError(f"no usable AWS credentials: {error}", hint=hint)
        case sdk.SSOError() | sdk.TokenRetrievalError() | sdk.LoginError():
            return NoCredentialsError(f"your AWS sign-in has ended: {error}", hint=SIGN_IN)
        case sdk.ProfileNotFound():
            return NoResponseError(str(error), hint="check AWS_PROFILE and `aws configure list-profiles`")
        case sdk.NoRegionError():
            return NoResponseError("no AWS Region is set", hint="write `region:` into the environment file")
        case sdk.HTTPClientError() | sdk.ConnectionError():
            hint = "check the network, a proxy or VPN, and AWS_ENDPOINT_URL; does the Region exist?"
            return NoResponseError(f"no connection to AWS: {error}", hint=hint)
        case _:
            return NoResponseError(f"the AWS SDK failed: {error}", hint="check the AWS configuration and try again")


def _lost_local_aws(error: sdk.BotoCoreError) -> NoResponseError | None:
    endpoint = local_endpoint(str(error.kwargs.get("endpoint_url", "")))
    if endpoint is None or not isinstance(error, (sdk.HTTPClientError, sdk.ConnectionError)):
        return None
    again = "`neuron-cluster local` in another terminal starts a new one, then run this command again"
    if isinstance(error, sdk.ReadTimeoutError):
        hint = f"if its process hangs, end it; {again}"
        return NoResponseError(f"the local AWS at {endpoint} does not respond", hint=hint)
    return NoResponseError(
        f"the local AWS at {endpoint} has ended, and everything in it is gone",
        hint=f"{again}; without one `deploy --local` starts its own",
    )
