"""A door to the verbs: parse, call, print, exit code."""
