"""EKS: clusters, node groups, add-ons, and the charts that CDK's kubectl function installs."""
