"""Figures that belong to a lesson and to no article."""
