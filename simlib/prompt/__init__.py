"""The Messages API's request as a value: blocks, the prompt they make, and what is asked about it."""
