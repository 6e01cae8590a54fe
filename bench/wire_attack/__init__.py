"""Hostile model servers: a raw server, a seeded generator of replies, and the trials that run them."""
