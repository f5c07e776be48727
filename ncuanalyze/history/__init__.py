"""Diagnoses kept by commit and kernel, their trend and where it changed."""
