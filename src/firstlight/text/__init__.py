"""Answers -> words, English and Chinese; one file a noun. Nothing here knows of a terminal."""
