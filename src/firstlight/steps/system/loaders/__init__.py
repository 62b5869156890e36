"""Boot loaders: where each keeps the kernel's command line, and how that is changed. One file for each kind of
configuration; `find` says which one this machine uses."""
