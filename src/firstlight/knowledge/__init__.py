"""What is known and from where: tables in TOML, each figure with its source and date, read when asked for."""
