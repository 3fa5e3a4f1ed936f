"""An AWS on this machine: API servers, CloudFormation, custom resources, Kubernetes objects."""
