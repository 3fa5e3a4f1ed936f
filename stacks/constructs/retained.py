"""The removal policy of whatever holds data."""

from __future__ import annotations

import aws_cdk as cdk

RETAINED = cdk.RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE
"""Data outlives its stack; only what a failed first creation left behind is cleaned up."""
