"""Prompt caches: who reads what at which price, request by request, and why a request missed."""
