"""What apt's repositories and dpkg's database say, as records."""
