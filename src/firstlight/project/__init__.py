"""What is wanted: flags, variables, project file, user file, pip's and uv's settings -> Project (`load.load`)."""
