"""Sections of the environment file that neither have compute groups nor are part of every environment."""
