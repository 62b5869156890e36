"""What GPU code files hold, read without running any of it."""
