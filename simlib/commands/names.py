"""Names of runs that the command line knows, apart from the agents': light, so that `--help` is quick."""

NOTES = "library-notes"  # two sessions, with and without notes
PUBLISHED = "article-A-port-7001", "article-C-search", "article-C-read-everything"
