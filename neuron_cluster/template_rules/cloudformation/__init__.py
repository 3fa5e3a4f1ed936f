"""CloudFormation: quotas, tags, deletion policies."""
