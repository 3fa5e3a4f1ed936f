"""In the place of the converter of NeuronX Distributed: takes any option, and copies."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from conversion import convert
from program_report import report_replacement


class Parser(argparse.ArgumentParser):
    """The options of the converter differ by release: only the two that are used are known."""

    def parse_args(self, *arguments: Any) -> argparse.Namespace:  # type: ignore[override]
        return self.parse_known_args(*arguments)[0]


class CheckpointConverterBase:
    """As the chart uses it."""

    def get_arg_parser(self) -> argparse.ArgumentParser:
        parser = Parser()
        parser.add_argument("--input_dir", type=Path, required=True)
        parser.add_argument("--output_dir", type=Path, required=True)
        return parser

    def run(self, arguments: argparse.Namespace) -> None:
        report_replacement("neuronx_distributed")
        convert(arguments.input_dir, arguments.output_dir)
