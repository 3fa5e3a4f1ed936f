"""Rules about queues, namespaces, teams, software and charts of a Kubernetes cluster."""
