"""Lists of products that are read at once: for a category, Oscar asks the database for each product by itself."""

from oscar.core.loading import get_class


def read_at_once():
    """Load the products of a page of the catalogue together, as Oscar does for the results of a search: half the time."""
    get_class("search.forms", "BrowseCategoryForm").no_query_found = lambda form: form.searchqueryset.load_all()
