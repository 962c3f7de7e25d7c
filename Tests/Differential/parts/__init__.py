"""What each part of a run sends, and the random values for it."""
