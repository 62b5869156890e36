"""Tests of `binaries`."""
