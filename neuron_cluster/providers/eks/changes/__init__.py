"""What an edit does to an EKS cluster and its node groups."""
