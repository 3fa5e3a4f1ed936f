"""Rehearses a training job: SageMaker's contract with its containers, with processes of this machine."""
