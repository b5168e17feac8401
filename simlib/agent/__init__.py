"""The agent loop and what it needs: tools, guards, approval, a ledger, a transcript."""
