"""Fake models behind the Messages API's shape: honest about what was asked, never inventing an answer."""
