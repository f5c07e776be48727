"""Thousands of reports: one row a kernel, whatever a single file does to its reader."""
