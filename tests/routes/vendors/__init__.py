"""The vendors' package indices on this machine's loopback, and recorded machines to plan for over them."""
