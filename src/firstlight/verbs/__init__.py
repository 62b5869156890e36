"""One file a verb: typed request -> typed answer. The program's whole ability, with no terminal in it."""
