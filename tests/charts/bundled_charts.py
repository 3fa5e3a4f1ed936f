"""The charts of this repository, and the values files that they are tried with."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from neuron_cluster.catalog.catalog import load_catalog

CHARTS = Path(__file__).parents[2] / "charts"
DEFAULTS = "defaults"
POD_SECURITY_ANNOTATION = "neuron-cluster/pod-security"
"""In Chart.yaml: the Pod Security level that the chart's pods need, where it is not restricted."""


@dataclass(frozen=True)
class BundledChart:
    """One folder of ``charts/``."""

    folder: Path

    @property
    def name(self) -> str:
        return self.folder.name

    @functools.cached_property
    def metadata(self) -> Mapping[str, Any]:
        """Chart.yaml."""
        return _mapping(yaml.safe_load((self.folder / "Chart.yaml").read_text()))

    @functools.cached_property
    def default_values(self) -> Mapping[str, Any]:
        return _mapping(yaml.safe_load((self.folder / "values.yaml").read_text()))

    @functools.cached_property
    def values_schema(self) -> Mapping[str, Any]:
        return _mapping(json.loads((self.folder / "values.schema.json").read_text()))

    @property
    def examples(self) -> list[str]:
        return sorted(path.stem for path in self.folder.glob("examples/*.yaml"))

    def values(self, example: str) -> Mapping[str, Any]:
        """The values of an example; nothing for the defaults."""
        if example == DEFAULTS:
            return {}
        return _mapping(yaml.safe_load((self.folder / "examples" / f"{example}.yaml").read_text()))

    def kubernetes_from(self, example: str) -> str | None:
        """The oldest Kubernetes version that takes the example; None: any. Claims of devices want a newer one."""
        is_dra = self.values(example).get("machine", {}).get("deviceManagement") == "dra"
        return load_catalog().device_managements["dra"].kubernetes_from if is_dra else None

    @property
    def pod_security(self) -> str:
        return str(self.metadata.get("annotations", {}).get(POD_SECURITY_ANNOTATION, "restricted"))

    def templates(self) -> Iterator[Path]:
        yield from (path for path in sorted(self.folder.glob("templates/**/*")) if path.is_file())

    def __str__(self) -> str:
        return self.name


def _mapping(read: Any) -> Mapping[str, Any]:
    assert isinstance(read, dict)
    return read


def bundled_charts() -> list[BundledChart]:
    return [BundledChart(folder) for folder in sorted(CHARTS.iterdir()) if folder.is_dir()] if CHARTS.exists() else []


def cases(*, defaults: bool = False) -> list[tuple[BundledChart, str]]:
    """Every chart with each of its examples, and with its defaults where asked for."""
    return [
        (chart, example)
        for chart in bundled_charts()
        if (chart.folder / "Chart.yaml").exists()
        for example in [*([DEFAULTS] if defaults else []), *chart.examples]
    ]


def case_id(value: object) -> str:
    return str(value)


ONE_OF_EACH = set({chart: (chart, example) for chart, example in cases()}.values())
"""An example of each chart: the exhaustive tests take all of them with every helm, the others the newest helm."""
EXAMPLES = pytest.mark.parametrize(("chart", "example"), cases(), ids=case_id)
AN_EXAMPLE_OF_EACH = pytest.mark.parametrize(
    ("chart", "example"),
    [pytest.param(*case, marks=() if case in ONE_OF_EACH else pytest.mark.exhaustive) for case in cases()],
    ids=case_id,
)
