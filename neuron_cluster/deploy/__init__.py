"""Deploys, compares and removes environments, on AWS and on the local AWS."""
