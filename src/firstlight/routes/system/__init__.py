"""Routes through the system's package manager."""
