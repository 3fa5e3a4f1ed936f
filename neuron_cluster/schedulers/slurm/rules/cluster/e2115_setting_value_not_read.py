from __future__ import annotations

from neuron_cluster.catalog.slurm import SlurmSettings
from neuron_cluster.catalog.slurm_value import SlurmValue
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.findings.suggestions import did_you_mean, suggestions
from neuron_cluster.findings.text import listed, quoted
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.slurm.section import SlurmSection, slurm_in
from neuron_cluster.schedulers.slurm.setting_places import DECIDED, SettingPlace, setting_places
from neuron_cluster.schedulers.slurm.setting_values import (
    allowed,
    excluded_words,
    likely,
    newer_words,
    reads,
    unknown_words,
)

BOOLEANS_OF_YAML = ("YES", "NO", "ON", "OFF")
"""Written with quotes: other readers of YAML make true or false of these words."""


class SettingValueNotRead(Rule):
    """The value of each Slurm setting is one that slurm.conf documents (`settings`).

    A number, a time, YES or NO, or words of a list; `neuron-cluster catalog settings cluster`, `group` and `queue` have
    them. Settings with free text, such as Features, are not checked.

    Without this check PCS rejects the cluster, group or queue with a ValidationException; or it accepts the value, and
    slurmctld does not start with it or ignores it.
    """

    id = "E2115"
    source = (
        "https://docs.aws.amazon.com/pcs/latest/userguide/slurm-custom-settings.html; "
        "https://slurm.schedmd.com/slurm.conf.html"
    )

    def check(self, context: RuleContext) -> Violations:
        for slurm in slurm_in(context.environment):
            for place in setting_places(slurm.path, slurm.section):
                yield from _violations(place, slurm.section, context.catalog.slurm_settings[place.level])


def _violations(place: SettingPlace, slurm: SlurmSection, level: SlurmSettings) -> Violations:
    for name, text in place.settings.items():
        is_decided = (place.level, name) in DECIDED  # rule E2111
        if name in level.values and not is_decided and level.settings[name] <= slurm.version:  # else rule E2110
            yield from _of_value((*place.path, name), text, level.values[name], slurm)


def _of_value(path: KeyPath, text: str, value: SlurmValue, slurm: SlurmSection) -> Violations:
    name, version = str(path[-1]), slurm.version
    given = f"{name} is {quoted(text)}"
    if not reads(value, text):
        yield Violation(path, f"{given}; it must be {allowed(value, version)}", _hint(name, text, value, version))
    elif newer := newer_words(value, text, version):
        first = max(newer.values())
        yield Violation(
            path,
            f"{given}; {slurm.service} accepts {listed(newer)} from Slurm {first} on, and version is {version}",
            f"set version: {first} or newer, or remove {listed(newer)}",
        )
    elif excluded := excluded_words(value, text):
        yield Violation(
            path,
            f"{given}; {listed(excluded)} exclude each other",
            f"keep {listed(map(_in_yaml, excluded), 'or')} alone",
        )


def _hint(name: str, text: str, value: SlurmValue, version: str) -> str:
    if strange := _foreign_character(text):
        return f"it contains {strange}; retype it"
    if meant := likely(value, text):
        octal = ": Slurm reads a number that begins with 0 in base 8" if text.startswith("0") else ""
        return f"write {_in_yaml(meant)}{octal}"
    words = [word for word, first in value.words.items() if first <= version]
    wrong = unknown_words(value, text)[:1]
    near = did_you_mean([_in_yaml(word) for word in suggestions(wrong[0], words)]) if wrong else ""
    return f"{near}write such a value, or remove {name} for Slurm's default"


def _in_yaml(word: str) -> str:
    return f'"{word}"' if word.upper() in BOOLEANS_OF_YAML else word


def _foreign_character(text: str) -> str:
    """No value that Slurm documents has one, such as a full-width digit."""
    import unicodedata  # only a wrong value pays for this import

    character = next((each for each in text if not each.isascii()), "")
    return f"the character {unicodedata.name(character, f'U+{ord(character):04X}').lower()}" if character else ""
