"""CloudFormation resource types as data: the calls that make and read each, and what an answer means for a property."""
