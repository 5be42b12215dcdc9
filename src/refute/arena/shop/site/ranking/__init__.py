"""A search index that knows half stars."""
