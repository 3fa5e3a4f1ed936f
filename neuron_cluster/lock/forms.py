"""Forms of the values of a lock: a regular expression, and the value in words."""

from __future__ import annotations

RELEASE = r"[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}-[0-9]{8}", "an AMI release version, such as 1.35.6-20260714"
IMAGE = r"ami-[0-9a-f]{8,17}", "an AMI id"
IMAGE_NAME = r"[ -~]{1,128}", "the name of an AMI"
GIB = r"[1-9][0-9]{0,4}", "a size in GiB"
DIGEST = r"sha256:[0-9a-f]{64}|null", "a digest (sha256:…), or null"
VERSION = r"[0-9A-Za-z.+_-]{1,100}", "a version"
KUBERNETES = r"[0-9]+\.[0-9]+", "a Kubernetes version"
ACCOUNT = r"[0-9]{12}", "an account id of twelve digits"
METADATA = r"automatic|none", "automatic or none"
NAME = r"[A-Za-z0-9_-]{1,100}", "a name"

VPC = r"vpc-[0-9a-f]{8,17}", "a VPC id"
SUBNET = r"subnet-[0-9a-f]{8,17}", "a subnet id"
ZONE = r"[a-z]{2,6}[0-9]-az[0-9]{1,2}", "a zone id"
RANGE = r"[0-9]{1,3}(\.[0-9]{1,3}){3}/[0-9]{1,2}"
CIDR = RANGE, "a CIDR block"
CIDRS = rf"{RANGE}( {RANGE}){{0,99}}", "CIDR blocks separated by spaces"
SERVICES = r"([a-z0-9.-]{1,100}( [a-z0-9.-]{1,100}){0,199})?", "endpoint services separated by spaces"
ROUTE = r"nat|internet_gateway|other|none", "nat, internet_gateway, other or none"
