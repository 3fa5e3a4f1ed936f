"""Changes of an EKS cluster and its node groups by an edit."""
