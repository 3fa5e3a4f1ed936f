"""Chapter 2: the EKS control plane, and who may use it."""
