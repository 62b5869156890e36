"""The vendors' own tools as the truth about what GPU code a file holds."""
