"""Training of the embedder that ships with bottega; README.md lists the stages."""
