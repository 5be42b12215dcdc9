"""The index of products. Oscar's own keeps whole stars only, which makes "Customer rating" a coarse order."""

from haystack import indexes
from oscar.apps.search import search_indexes as oscars  # the class itself must not be a name of this module


class ProductIndex(oscars.ProductIndex):
    """Oscar's index with the exact mean rating; products without reviews come last."""

    rating = indexes.FloatField(null=True, faceted=True)

    def prepare_rating(self, obj):
        """The mean of the approved reviews, 0 without any."""
        return obj.rating or 0.0
