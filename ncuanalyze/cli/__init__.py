"""The command line: options in, one call, output out."""
