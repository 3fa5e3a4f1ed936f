"""Chapter 2: cluster (control plane, access, service quotas)."""
