"""What `plan` shows of an EKS cluster."""
