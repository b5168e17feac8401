"""Where an agent works: files, tools, tasks with answers, and the scripts that fake models play."""
