"""What a pasted text says: which messages stand in it, and what it tells of its machine. `reader.read` gives a
`Transcript`; it is not imported here, since every cause imports `model`, and the other verbs need no engine."""
