"""apt's files and dpkg's database, beside the real tools."""
