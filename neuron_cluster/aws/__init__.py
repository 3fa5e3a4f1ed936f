"""Calls to AWS as small typed functions: the only use of boto3 outside of the local AWS."""
