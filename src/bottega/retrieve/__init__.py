"""From a task to the places in the code that matter for it."""
