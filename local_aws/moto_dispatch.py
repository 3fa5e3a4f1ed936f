"""moto's answer to a request: the routes of moto's server, without Flask around the function that they lead to.

Flask's contexts, hooks and second request object take half as long as moto's own work. What they do to an answer is
done here: an HTTP exception is the answer, other exceptions are raised, uploaded files are closed.
"""

from __future__ import annotations

import functools
from typing import Any

from botocore.exceptions import ClientError
from moto import backends
from moto.backend_index import backend_url_patterns
from moto.core.request import Request
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response

from local_aws.http.request_body import Environ

NOT_SERVED = frozenset({"moto_api", "instance_metadata", "cloudformation"})
"""moto's own control pages (they forget all state, write files, replay requests), its instance metadata, and its
CloudFormation, which runs what a template's YAML tags name."""


class MotoDispatch(DomainDispatcherApplication):
    """moto's, without the parts that are no service of AWS, and without those that have a better one here.

    For a service that it does not have moto itself prints a line and ends in an AttributeError.
    """

    def __init__(self) -> None:
        super().__init__(_backend_app)

    def answer(self, environ: Environ) -> Response:
        """Returns the response of moto's server, without headers that let a browser read it."""
        app: Any = self.get_application(environ)
        request = _ServerRequest(environ)
        try:
            return _answer(app, request, environ)
        except HTTPException as error:
            refused: Response = app.response_class.force_type(error.get_response(environ), environ)
            return refused
        finally:
            request.close()

    def get_backend_for_host(self, host: str | None) -> Any:
        if host in NOT_SERVED:
            raise NotImplementedError(f"{host} of moto is not served")
        return None if host is None else _backend_of(host)


class _ServerRequest(Request):
    """Tells moto that a server adds the date."""

    from_wsgi_server = True


def _answer(app: Any, request: Request, environ: Environ) -> Response:
    """As moto's ``convert_to_flask_response`` does, at the route of the request."""
    on_one_line = environ["PATH_INFO"].replace("\n", " ")  # the routes are patterns in which a dot is no line end
    rule, _ = app.url_map.bind_to_environ({**environ, "PATH_INFO": on_one_line}).match(return_rule=True)
    callback = vars(app.view_functions[rule.endpoint])["callback"]
    try:
        result = callback(request, request.raw_url, dict(request.headers))
    except ClientError as error:
        result = 400, {}, error.response["Error"]["Message"]
    status, headers, content = result if len(result) == 3 else (200, {}, result)  # noqa: PLR2004 - status, headers, body
    response: Response = app.response_class(content, status=status, headers=headers)
    if request.method == "HEAD" and "content-length" in headers:
        response.headers["Content-Length"] = headers["content-length"]
    return response


@functools.lru_cache(maxsize=1024)
def _backend_of(host: str) -> str:
    """Which backend serves a host name: 80 patterns are tried. Raises NotImplementedError, which is not kept."""
    if host in backends.list_of_moto_modules():
        return host
    url = f"http://{host}"
    backend = next((name for name, pattern in backend_url_patterns if pattern.match(url)), None)
    if backend is None:
        raise NotImplementedError(f"moto has no service at {host}")
    if backend in NOT_SERVED:
        raise NotImplementedError(f"{backend} of moto is not served")
    return str(backend)


@functools.cache
def _backend_app(service: Any) -> Any:
    """moto's routes of a service, which know no state: those of one local AWS serve the next one in this process."""
    return create_backend_app(service)
