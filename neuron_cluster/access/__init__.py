"""Who can do what with the data of an environment: an evaluator of IAM policies, and the policies of templates."""
