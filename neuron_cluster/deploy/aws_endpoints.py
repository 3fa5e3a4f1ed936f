"""Commands that are meant for AWS do not work on a local AWS that the shell's variables lead to."""

from __future__ import annotations

import urllib.error
import urllib.request

from local_aws.environment import SIGNATURE
from neuron_cluster.aws.endpoints import configured_endpoints
from neuron_cluster.errors import InvalidEnvironment
from neuron_cluster.findings.finding import Finding, Location

PROBE_SECONDS = 5.0


def aws_endpoints() -> tuple[str, ...]:
    """URLs that take the place of AWS's own endpoints, each once; normally none.

    Raises ``InvalidEnvironment`` (E9521) when a local AWS answers at one of them: what it returns is invented.
    """
    found = configured_endpoints()
    local = [place for place, url in found.items() if is_local_aws(url)]
    if local:
        raise InvalidEnvironment([_finding(place, found[place]) for place in local])
    return tuple(dict.fromkeys(found.values()))


def is_local_aws(url: str) -> bool:
    """Whether a local AWS of this toolkit answers there; False for what does not answer."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _NoRedirect())
    try:
        with opener.open(url, timeout=PROBE_SECONDS) as answer:
            return SIGNATURE in answer.headers
    except urllib.error.HTTPError as error:
        with error:
            return SIGNATURE in error.headers
    except (OSError, ValueError):
        return False


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        """Follows none: the endpoint itself is what calls go to."""


def _finding(place: str, url: str) -> Finding:
    undo = f"run `unset {place}`" if place.isupper() else f"remove {place}"
    return Finding(
        "E9521",
        Location(place),
        f"is {url}, where the local AWS answers: its account, ids and prices are invented",
        f"to work with the local AWS add `--local`; to work with AWS {undo} and sign in with credentials of AWS",
    )
