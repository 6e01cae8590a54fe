"""The verbs that read the knowledge base: search, show, graph, map, stats."""
