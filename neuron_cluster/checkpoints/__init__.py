"""Checkpoint storage from what a training needs: sizes, times, losses and costs."""
