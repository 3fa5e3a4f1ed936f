"""Statistics of CloudWatch, as alarms and dashboards name them.

https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Statistics-definitions.html
"""

from __future__ import annotations

import re

NAMED = frozenset({"SampleCount", "Average", "Sum", "Minimum", "Maximum", "IQM"})
HIGHEST = 100
PERCENTILE = re.compile(r"p(\d{1,3}(?:\.\d+)?)")
TRIMMED = re.compile(r"(?:tm|wm|tc|ts)(\d{1,3}(?:\.\d+)?)", re.IGNORECASE)
RANGE = re.compile(r"(?:TM|WM|TC|TS|PR)\([\d.%]*:[\d.%]*\)", re.IGNORECASE)


def is_percentile(name: str) -> bool:
    found = PERCENTILE.fullmatch(name)
    return found is not None and float(found[1]) <= HIGHEST


def is_extended(name: str) -> bool:
    """A percentile, a trimmed statistic or the interquartile mean: what ``ExtendedStatistic`` takes."""
    trimmed = TRIMMED.fullmatch(name)
    fits = trimmed is not None and float(trimmed[1]) <= HIGHEST
    return name == "IQM" or is_percentile(name) or fits or RANGE.fullmatch(name) is not None


def is_statistic(name: str) -> bool:
    return name in NAMED or is_extended(name)
