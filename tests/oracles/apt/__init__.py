"""Requests of system packages: our verdict beside that of `apt-get -s install` in the same private root."""
