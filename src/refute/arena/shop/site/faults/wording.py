"""What faults change in pages: words on buttons, and where buttons stand."""

import re

LABELS = {
    "Add to basket": "Add to bag",
    "Proceed to checkout": "Go to checkout",
    "Add to wish list": "Save for later",
    "Write a review": "Share your opinion",
}
"""Old words and new ones, as another shop would have them. What cannot be undone keeps its name."""
STAFF_LABELS = {"Save": "Keep changes", "Update": "Apply"}
"""The same for pages of the dashboard."""

_REVIEW = r'<a id="write_review".*?</a>'
_FORM = r'<form id="add_to_basket_form".*?</form>'
_CHECKOUT = r'<a href="[^"]*" class="btn btn-lg btn-primary btn-block">\s*Proceed to checkout\s*</a>'
_VOUCHER = r'<a href="/dashboard/vouchers/create/".*?</a>'
_ADVANCED = r'<a data-toggle="modal"[^>]*>Advanced Search</a>'

MOVES = (
    ("Write a review", re.compile(_REVIEW, re.DOTALL), '<div id="reviews" class="sub-header">', ""),
    ("Add to basket", re.compile(_FORM, re.DOTALL), "</article><!-- End of product page -->", "<h2>Buy {title}</h2>"),
    ("Proceed to checkout", re.compile(_CHECKOUT), '<div id="content_inner">', ""),
    ("Create new voucher", re.compile(_VOUCHER, re.DOTALL), "</div><!-- /container -->", ""),
    ("Advanced Search", re.compile(_ADVANCED), "</div><!-- /container -->", ""),
)
"""Name of a button, its mark-up in Oscar's pages, what it stands after when it was moved, and what is said above it."""

TITLE = re.compile(r"<h1>(.*?)</h1>", re.DOTALL)
"""What a page is about."""

SOLD_OUT = "Sold out for the moment: more are being unpacked. Please look again in a minute."
