"""Asking one Region after another what it offers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date

from msgspec import Struct

from neuron_cluster.aws.capacity_blocks import capacity_block_offerings
from neuron_cluster.aws.errors import NoCredentialsError
from neuron_cluster.aws.session import Target
from neuron_cluster.capacity.block_offer import BlockOffer, sorted_offers
from neuron_cluster.capacity.block_wish import CapacityBlockQuery
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.text import counted


class FailedRegion(Struct, frozen=True):
    """A Region that gave no offerings because it refused the question, or did not answer."""

    region: str
    message: str
    hint: str


class Answers(Struct, frozen=True):
    """The offers of all Regions that answered, the cheapest chip-hour first."""

    offers: tuple[BlockOffer, ...]
    silent: tuple[FailedRegion, ...]


def ask(wish: CapacityBlockQuery, targets: Iterable[Target], today: date, say: Callable[[str], None]) -> Answers:
    """Raises ``ToolkitError`` when no Region answers, and at once without credentials."""
    question, offers, silent, answered = wish.question(today), list[BlockOffer](), list[FailedRegion](), 0
    for target in targets:
        try:
            found = capacity_block_offerings(target, question)
        except NoCredentialsError:
            raise  # the same in every Region; none was asked
        except ToolkitError as error:
            silent.append(FailedRegion(target.region, error.message, error.hint))
            say(f"{target.region}: no answer")
            continue
        answered += 1
        offers += [BlockOffer(target.region, wish.unit, offering) for offering in found]
        say(f"{target.region}: {counted(len(found), 'offering')}")
    if not answered:
        raise _nobody_answered(silent)
    return Answers(sorted_offers(offers), tuple(silent))


def _nobody_answered(silent: list[FailedRegion]) -> ToolkitError:
    """One reason for all, such as expired credentials, is said once."""
    reasons = list(dict.fromkeys((each.message, each.hint) for each in silent))
    if len(reasons) == 1:
        message, hint = reasons[0]
        return ToolkitError(message, hint=hint)
    lines = "".join(f"\n  {each.region}: {each.message}" for each in silent)
    hints = dict.fromkeys(each.hint for each in silent if each.hint)
    return ToolkitError(f"no Region answered:{lines}", hint="; ".join(hints))
