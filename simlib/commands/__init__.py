"""The subcommands of `simlib` that play and replay runs, one a file."""
