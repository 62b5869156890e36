"""One file a rung, named after its id; each has `check(job)`."""
