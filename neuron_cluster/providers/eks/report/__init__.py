"""Tables of `plan` about an EKS cluster."""
