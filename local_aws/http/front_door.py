"""The WSGI application in front of moto: answers the operations that are ours, passes every other request on.

Requests are read and answers written by botocore's service models, with moto's own parsers and serializers,
so that an operation of ours speaks every protocol its service speaks.
"""

from __future__ import annotations

import contextlib
import json
import re
import socket
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import parse_qs

from botocore.exceptions import ClientError, ParamValidationError
from moto.core.exceptions import ServiceException
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response

from local_aws import clients
from local_aws.admission import reject_web_pages, require_signature
from local_aws.api_errors import api_error, error_services
from local_aws.checks import call_checks
from local_aws.cloudformation.errors import TemplateError
from local_aws.contract import BAD_REQUEST, ORIGIN, Call, ServiceError, Store
from local_aws.custom_resources.record import recorded
from local_aws.engine.signals import HANDLE_PATH, signal_handle
from local_aws.engine.stack_engine import StackEngine
from local_aws.environment import SIGNATURE
from local_aws.faults import Faults
from local_aws.http.caller import Caller, caller_of, signature_of
from local_aws.http.caught_errors import last_resort, passed_on
from local_aws.http.error_response import error_response, kind_of
from local_aws.http.gate import AccountLocks
from local_aws.http.in_process_transport import OWN_CALL
from local_aws.http.protocol import (
    OperationRoutes,
    RequestedOperation,
    invalid_request,
    parsed_parameters,
    requested_operation,
    response,
)
from local_aws.http.request_body import Environ, forget_body, has_small_body, keep_body, rewind
from local_aws.http.trail import keep_event
from local_aws.moto_state import is_region
from local_aws.registry import GUARDS, LAST, OPERATIONS
from local_aws.resource_types.binding import bindings, kept_services
from local_aws.run_secrets import PROOF_PATH, is_nonce, proof
from local_aws.services.model_constraints import require_within_model
from local_aws.services.preconditions import preconditions, require_preconditions

Moto = Callable[[Environ], Response]

RECORDED_PATH = "/_neuron/recorded"
INVOCATIONS = "/invocations"
CORS_HEADERS = "access-control-"
"""Headers by which a browser would let a web page read an answer."""
HTML = re.compile(rb"\s*<(!doctype\s+html|html)\b", re.IGNORECASE)
NOT_CHECKED = frozenset({"s3"})
"""Services whose calls are held to their model where we answer or guard them only: bodies of objects may be large."""
NOT_IN_MOTO_SERVICES = frozenset({"cloudformation", "eks", "fsx"})
"""Services whose state moto does not hold: what we do not answer, it would answer of an account without anything.
moto's CloudFormation, moreover, runs what a template's YAML tags name."""
DEFAULT_REGION = "us-east-1"
"""The Region that AWS assumes for an unsigned request; not a default of this project."""


class FrontDoor:
    """Serves one local AWS."""

    def __init__(
        self,
        behind: Moto,
        store: Store,
        engine: StackEngine,
        endpoint: str,
        secret: str,
        faults: Faults | None = None,
    ) -> None:
        self._behind = behind
        self._store = store
        self._engine = engine
        self._endpoint = endpoint
        self._secret = secret
        self._faults = faults or Faults()
        self._locks = AccountLocks()
        store.share(engine)
        self._origin = Call("", "", "", "", {}, store, endpoint, clients)
        self._checks = call_checks()
        self._not_in_moto = NOT_IN_MOTO_SERVICES | kept_services()
        bound = {binding.service for binding in bindings().values()}  # moto answers some of them alone
        ours = {*(service for service, _ in (*OPERATIONS, *GUARDS, *self._checks)), *bound, *error_services()}
        self._checked = ours - NOT_CHECKED
        self._routes = OperationRoutes(ours, self._faults.services)

    def __call__(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        return self.answer(environ)(environ, start_response)

    def answer(self, environ: Environ) -> Response:
        """The answer to a request; as a WSGI application it is called once more, with the same environment."""
        answer = self._answered(environ)
        for name in [name for name, _ in answer.headers if name.lower().startswith(CORS_HEADERS)]:
            del answer.headers[name]
        if self._store.is_named:  # by this header commands for AWS know that they did not reach it
            answer.headers[SIGNATURE] = "1"
        return answer

    def _answered(self, environ: Environ) -> Response:
        try:
            caller = self._admitted(environ)
        except ServiceError as error:
            return error_response(error, environ, _named_service(environ))
        if environ.get("PATH_INFO") == PROOF_PATH:
            return self._proof(environ)
        if environ.get("PATH_INFO") == RECORDED_PATH:
            return self._recorded(environ)
        environ["HTTP_X_MOTO_ACCOUNT_ID"] = caller.account
        ORIGIN.set(self._origin)
        try:
            if environ["REQUEST_METHOD"] == "PUT" and environ.get("PATH_INFO", "").startswith(HANDLE_PATH):
                return self._signal(caller, environ)
            return self._service_answer(caller, environ)
        except ConnectionResetError:
            raise
        except Exception as error:  # noqa: BLE001 - the last resort: SDKs read no page of HTML
            forget_body(environ)
            return self._rejected(caller, environ, last_resort(error, kind_of(environ, caller.signing_name)))

    def _service_answer(self, caller: Caller, environ: Environ) -> Response:
        with self._exclusive(caller, environ):
            answer = self._own_answer(caller, environ) or self._answer_of_moto(caller, environ)
        keep_event(self._store, self._routes, caller, environ, answer.status_code)
        return answer

    def _admitted(self, environ: Environ) -> Caller:
        """Returns the caller. Raises ServiceError for a web page, and for a request without a valid signature."""
        reject_web_pages(environ)
        signed = signature_of(environ)
        if OWN_CALL not in environ and environ.get("PATH_INFO") != PROOF_PATH:
            require_signature(environ, signed, self._secret, lambda: keep_body(environ))
        return caller_of(signed)

    def _exclusive(self, caller: Caller, environ: Environ) -> contextlib.AbstractContextManager[None]:
        """While it lasts, no other call changes the account. No call waits for a slow client: the body has been read.

        A large body is that of an object of S3, which moto reads from the connection and puts in with one assignment.
        """
        if caller.signing_name == "lambda" and environ.get("PATH_INFO", "").endswith(INVOCATIONS):
            keep_body(environ)
            return contextlib.nullcontext()  # the function makes calls of its own
        if caller.signing_name in NOT_CHECKED and not has_small_body(environ):
            return contextlib.nullcontext()
        keep_body(environ)
        return self._locks.held(caller)

    def _proof(self, environ: Environ) -> Response:
        """Shows that this server knows the secret, to a command that is about to send it something."""
        nonce = parse_qs(environ.get("QUERY_STRING", "")).get("nonce", [""])[0]
        if not is_nonce(nonce):
            return error_response(api_error("common.nonce"), environ, "")
        return Response(json.dumps({"proof": proof(self._secret, self._endpoint, nonce)}), mimetype="application/json")

    def _answer_of_moto(self, caller: Caller, environ: Environ) -> Response:
        answer = self._behind(environ)
        if environ["REQUEST_METHOD"] != "HEAD" and _is_page(answer):
            forget_body(environ)
            return self._rejected(caller, environ, f"moto answers it with {answer.status}")
        return answer

    def _own_answer(self, caller: Caller, environ: Environ) -> Response | None:
        """Returns the response without moto; None when moto is to answer."""
        if caller.region is not None and not is_region(caller.region):
            error = api_error("common.no_region", region=caller.region, service=caller.signing_name)
            return self._rejected(caller, environ, error)
        for service in self._routes.services(caller.signing_name):
            asked = requested_operation(service, environ)
            answer = self._answer(service, asked, caller, environ) if asked is not None else None
            if answer is not None:
                return answer
            rewind(environ)
        if caller.signing_name in self._not_in_moto:
            return self._rejected(caller, environ, "moto is not asked for this service")
        return None

    def _rejected(self, caller: Caller, environ: Environ, why: str | ServiceError) -> Response:
        """Returns the error, or one for an unknown call, in the format of the operation where that is known."""
        for service in dict.fromkeys((*self._routes.services(caller.signing_name), caller.signing_name)):
            try:
                asked = requested_operation(service, environ)
                if asked is not None:
                    error = _unknown_call(f"{service}:{asked[0].name}", why) if isinstance(why, str) else why
                    return response(service, asked[0], asked[2], error)
            except Exception:  # noqa: BLE001, S112 - a request that can be read no further; or signatures spell the service otherwise
                continue
        error = _unknown_call(caller.signing_name or "a service", why) if isinstance(why, str) else why
        return error_response(error, environ, caller.signing_name)

    def _recorded(self, environ: Environ) -> Response:
        """Returns the requests of custom resources of one account and Region; AWS has no such page."""
        asked = parse_qs(environ.get("QUERY_STRING", ""))
        rows = recorded(self._store, asked.get("account", [""])[0], asked.get("region", [""])[0])
        return Response(json.dumps(rows), mimetype="application/json")

    def _signal(self, caller: Caller, environ: Environ) -> Response:
        """Takes a signal for a wait condition, as the S3 of AWS does."""
        region, path = caller.region or DEFAULT_REGION, environ["PATH_INFO"]
        if signal_handle(self._engine.table, caller.account, region, path, keep_body(environ)):
            return Response()
        return error_response(api_error("s3.no_bucket"), environ, "s3")

    def _answer(self, service: str, asked: RequestedOperation, caller: Caller, environ: Environ) -> Response | None:
        """The answer of an operation of ours, or a refusal; None when moto is to answer.

        Raises ConnectionResetError when a fault drops the connection: the server then ends it.
        """
        operation, uri_parameters, request = asked
        key = (service, operation.name)
        is_judged = key in GUARDS or key in self._checks or bool(preconditions(*key))
        if is_judged:
            keep_body(environ)  # moto may read it again
        rewind(environ)
        result: Any
        try:
            self._faults.strike_call(operation.service_model, service, operation.name, caller.account)
            if service not in self._checked and key not in OPERATIONS and not is_judged:
                return None
            call = Call(
                service=service,
                operation=operation.name,
                account=caller.account,
                region=caller.region or DEFAULT_REGION,
                parameters=parsed_parameters(service, operation, uri_parameters, request),
                store=self._store,
                endpoint=self._endpoint,
                clients=clients,
            )
            self._judge(call)
            if key not in OPERATIONS:
                return None
            result = OPERATIONS[key](call)
        except ServiceError as error:
            result = error
        except TemplateError as error:
            result = ServiceError(error.code, error.message)
        except ConnectionResetError:
            if connection := environ.get("werkzeug.socket"):
                connection.shutdown(socket.SHUT_RDWR)
            raise
        except ParamValidationError as error:  # an operation passed on what another service does not take
            result = invalid_request(operation.service_model, str(error))
        except (ServiceException, ClientError, HTTPException) as error:
            result = passed_on(error)
        return response(service, operation, request, result)

    def _judge(self, call: Call) -> None:
        """Raises ServiceError for what is refused whoever is to answer."""
        key = (call.service, call.operation)
        guards = GUARDS.get(key, ())
        for check in (*self._checks.get(key, ()), *(guard for guard in guards if guard not in LAST)):
            check(call)
        if call.service in self._checked:
            require_within_model(call)
        for check in (require_preconditions, *(guard for guard in guards if guard in LAST)):
            check(call)


def _is_page(answer: Response) -> bool:
    """Whether moto answers with a page for browsers, or with an empty one: it does not know the path or the call."""
    if answer.status_code < BAD_REQUEST or answer.mimetype != "text/html":
        return False
    body = answer.get_data()
    return not body or HTML.match(body) is not None


def _unknown_call(requested: str, reason: str) -> ServiceError:
    """The error of what moto does not have. SDKs do not try again after its status."""
    return api_error("common.not_implemented", requested=requested, reason=reason.partition(". ")[0])


def _named_service(environ: Environ) -> str:
    """The service that a request names which is not let in, as far as it can be read."""
    try:
        signed = signature_of(environ)
    except ValueError:
        return ""
    return signed.scope.service.lower() if signed is not None else ""
