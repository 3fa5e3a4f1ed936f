"""Further arguments of a server that contradict a value of its chart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from local_kubernetes.model.chart_values import merged, value_at
from local_kubernetes.model.release import Release
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.server_options import ServerOptions
from neuron_cluster.findings.finding import Finding
from neuron_cluster.schedulers.kubernetes.workloads.bundled_chart import BundledChart
from neuron_cluster.schedulers.kubernetes.workloads.findings import finding
from neuron_cluster.schedulers.kubernetes.workloads.values import WorkloadValues
from neuron_cluster.sizing.program_options import Option, options_in

EXTRA, WEIGHTS, SERVE, NO = "model.extraArgs", "weights.path", "serve", "--no-"
_VALUE_OF_OPTION = re.compile(r"(?P<option>--[a-z-]+)=\{\{[^}]*?\$v\.(?P<key>[\w.]+)")
"""In a template: the value that an option is written with."""


def overridden_option_findings(
    chosen: WorkloadValues, objects: Sequence[Mapping[str, Any]], catalog: Catalog, *, namespace: str
) -> Iterator[Finding]:
    """E9250 for each option of ``model.extraArgs`` that the chart writes with another value, or has a value for."""
    values = merged(chosen.chart.defaults, chosen.values)
    given = value_at(values, EXTRA)
    if not isinstance(given, list) or not given:
        return
    program, extra = catalog.server_options["vllm"], [str(each) for each in given]
    for written in _commands(objects, extra, namespace):
        own = {_plain(each.name): each for each in options_in(written, program.short)}
        keys = _keys(chosen.chart)
        for option in options_in(extra, program.short):
            name = _whole_name(option, {*own, *keys}, program)
            key = WEIGHTS if name == program.model else keys.get(name)
            reason = _contradiction(option, own.get(name), key, values)
            if reason:
                hint = f"leave it out of {EXTRA}: the chart decides it" if key is None else f"set {key} instead"
                yield finding("E9250", chosen.chart.name, EXTRA, f"{option.text} {reason}", hint)
        return


def _contradiction(option: Option, own: Option | None, key: str | None, values: Mapping[str, Any]) -> str:
    """Why the option differs from what the chart sets; empty where it does not, or the chart has no such setting."""
    if own is not None:
        is_same = (option.name, option.value) == (own.name, own.value)
        return "" if is_same else f"wins over {own.text}, which the chart writes and every check counts with"
    if key is None or option.value == str(value_at(values, key)):
        return ""
    value = value_at(values, key)
    counted = f"{key}={value}" if value else f"the default of {key}"
    return f"is a setting of {key}, and every check counts with {counted}"


def _commands(objects: Sequence[Mapping[str, Any]], extra: list[str], namespace: str) -> Iterator[list[str]]:
    """Command of each server with its arguments before the further ones, which are the last ones."""
    for template in Release(objects, namespace=namespace).pods():
        for container in template.containers:
            command = [*(container.body.get("command") or ()), *(container.body.get("args") or ())]
            if SERVE in command and command[-len(extra) :] == extra:
                yield [str(each) for each in command[: -len(extra)]]


def _whole_name(option: Option, known: set[str], program: ServerOptions) -> str:
    """The option that argparse takes it for: one of ours of which it is the first part."""
    name = _plain(option.name)
    if name in known or name == program.model or not name.startswith("--"):
        return name
    return next((each for each in sorted(known) if each.startswith(name)), name)


def _plain(name: str) -> str:
    """One name for an option and for the one that turns it off."""
    return "--" + name.removeprefix(NO) if name.startswith(NO) else name


def _keys(chart: BundledChart) -> dict[str, str]:
    """Each option with a value of the chart: by the value in its template, else by the name of a key of ``model``."""
    named = {_option_of_key(key): f"model.{key}" for key in chart.defaults["model"] if key != "name"}
    templates = (file.read_text(encoding="utf-8") for file in sorted((chart.folder / "templates").glob("*.tpl")))
    found = {each["option"]: each["key"] for text in templates for each in _VALUE_OF_OPTION.finditer(text)}
    return named | found


def _option_of_key(key: str) -> str:
    """``--max-model-len`` of ``maxModelLen``."""
    return "--" + re.sub(r"[A-Z]", lambda capital: f"-{capital[0].lower()}", key)
