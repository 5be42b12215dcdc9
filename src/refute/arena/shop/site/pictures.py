"""Pictures of products, small enough to be shown as they are."""

from types import SimpleNamespace

from oscar.core.thumbnails import AbstractThumbnailer


class WholePicture(AbstractThumbnailer):
    """Shows a picture as it is: looking at a page must not write files or rows."""

    def generate_thumbnail(self, source, **opts):
        """The picture itself, with the address that templates ask for."""
        name = source if isinstance(source, str) else source.name
        return SimpleNamespace(url=f"/media/{name}", name=name)

    def delete_thumbnails(self, source):
        """Nothing was made, so nothing is deleted."""
