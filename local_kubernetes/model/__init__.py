"""Kubernetes' own formats, without a cluster and without CloudFormation: names, quantities, objects, selectors."""
