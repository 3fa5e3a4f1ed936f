"""The plan of an EKS cluster: its classes, and the builders that decide them."""
