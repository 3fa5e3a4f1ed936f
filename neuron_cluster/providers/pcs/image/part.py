"""The part of the stack with the pipeline that builds the AMI, for rules, which load no stack."""

IMAGE_PART = "image"
