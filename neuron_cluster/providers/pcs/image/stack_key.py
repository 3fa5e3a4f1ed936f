"""The key of the stack with the pipeline that builds the AMI, for rules, which load no stack."""

IMAGE_STACK = "image"
