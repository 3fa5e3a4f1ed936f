"""Patterns of cron schedules with the ranges of their fields, for Kubernetes and for AWS Backup."""

MINUTE, HOUR, DAY = r"[0-5]?[0-9]", r"(?:[01]?[0-9]|2[0-3])", r"(?:0?[1-9]|[12][0-9]|3[01])"
MONTH = r"(?:0?[1-9]|1[0-2]|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)"
WEEKDAY_NAMES = "SUN|MON|TUE|WED|THU|FRI|SAT"
WEEKDAY_FROM_0, WEEKDAY_FROM_1 = rf"(?:[0-6]|{WEEKDAY_NAMES})", rf"(?:[1-7]|{WEEKDAY_NAMES})"
YEAR = r"(?:19[7-9][0-9]|20[0-9]{2}|21[0-9]{2})"


def field(value: str) -> str:
    """A list of values, ranges and steps of one field."""
    part = rf"(?:\*|{value}(?:-{value})?)(?:/[1-9][0-9]?)?"
    return rf"{part}(?:,{part})*"


KUBERNETES = " ".join(map(field, (MINUTE, HOUR, DAY, MONTH, WEEKDAY_FROM_0)))
"""Sunday is 0."""
OF_DAY = rf"(?:L|LW|{DAY}W|{field(DAY)})"
OF_WEEKDAY = rf"(?:L|{WEEKDAY_FROM_1}L|{WEEKDAY_FROM_1}#[1-5]|{field(WEEKDAY_FROM_1)})"
AWS = rf"{field(MINUTE)} {field(HOUR)} (?:\? {field(MONTH)} {OF_WEEKDAY}|{OF_DAY} {field(MONTH)} \?) {field(YEAR)}"
"""Sunday is 1."""
