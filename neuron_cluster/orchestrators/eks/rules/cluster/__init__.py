"""Chapter 2: cluster (EKS control plane, access, service quotas)."""
