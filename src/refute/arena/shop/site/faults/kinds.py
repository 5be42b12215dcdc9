"""The kinds of faults. Each counts the requests that it could be served to, and is served to those of its turn."""

import hashlib
import re
import time
from types import SimpleNamespace

from django.contrib.auth import get_user_model, login
from django.contrib.auth.models import AnonymousUser
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django_tables2 import RequestConfig
from oscar.apps.partner.availability import Unavailable
from oscar.core.loading import get_model
from oscar.core.utils import safe_referrer

from faults import wording

Product = get_model("catalogue", "Product")
DASHBOARD = "/dashboard/"


class Fault:
    """Base of all: it begins with the `onset`-th matching request and is over with the first one after `lasts` more.

    With `lasts` 0 it goes on to the end of the episode. What a kind changes, it changes in one of three hooks.
    """

    kind = ""

    def __init__(self, number, *, onset, lasts, seconds, note, lock, current):
        self.number, self.onset, self.lasts, self.seconds = number, onset, lasts, seconds
        self.begun = self.over = False
        self._count = 0
        self._note, self._lock, self._current = note, lock, current

    def answer(self, request):
        """A response in the place of the shop's own, or None."""

    def fill(self, request, context):
        """Change what a template is about to show."""

    def rewrite(self, request, html):
        """The page as it is sent."""
        return html

    def due(self, request, detail):
        """Count a matching request; whether the fault is served to it. `detail` tells what is altered."""
        with self._lock:
            if self.over or not self._current():  # a slow request of an earlier episode counts for nobody
                return False
            self._count += 1
            if self._count < self.onset:
                return False
            if self.lasts and self._count >= self.onset + self.lasts:
                self.over = True
                self._tell(request, "ended", "")
                return False
            if not self.begun:
                self.begun = True
                self._tell(request, "started", detail)
            return True

    def _tell(self, request, what, detail):
        self._note(
            id=self.number, what=what, kind=self.kind, path=request.get_full_path(), detail=detail, lasts=self.lasts
        )


class ExpiredSession(Fault):
    """A signed-in customer is signed out, and asked to sign in again: by one click as before, or with the password."""

    kind = "expired_session"

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self._account = None

    def answer(self, request):
        """Sign out, or in again."""
        asked = request.POST.get("continue_as") if request.path == reverse("customer:login") else None
        if self._account is not None and asked == self._account.username:
            login(request, self._account, backend="django.contrib.auth.backends.ModelBackend")
            return redirect(_inside(request, request.GET.get("next")))
        if request.method != "GET" or not request.user.is_authenticated:
            return None
        if not self.due(request, f"{request.user.get_full_name()} is signed out"):
            return None
        self._account = get_user_model().objects.get(pk=request.user.pk)
        request.session.flush()
        request.user = AnonymousUser()
        return redirect(f"{reverse('customer:login')}?{urlencode({'next': request.get_full_path()})}")

    def rewrite(self, request, html):
        """The sign-in page offers to go on as the customer who was signed out."""
        if self._account is None or request.user.is_authenticated or request.path != reverse("customer:login"):
            return html
        card = render_to_string("shop/faults/continue.html", {"account": self._account}, request)
        return html.replace('<div id="content_inner">', f'<div id="content_inner">{card}', 1)


class ServerError(Fault):
    """An error page in the place of a page. Forms that are sent arrive: what was done was done."""

    kind = "server_error"

    def answer(self, request):
        """The shop's error page, with status 500."""
        if request.method == "GET" and self.due(request, "status 500 instead of the page"):
            return render(request, "shop/faults/error.html", status=500)
        return None


class SilentValidation(Fault):
    """A form that is sent comes back as if nothing had been sent: nothing is done, and nothing said."""

    kind = "silent_validation"

    def answer(self, request):
        """Back to the page with the form. Signing in is left alone."""
        if request.method != "POST" or request.path in (reverse("customer:login"), reverse("set_language")):
            return None
        if self.due(request, "the form came back without a word, and nothing was done"):
            return redirect(safe_referrer(request, "/"))
        return None


class SlowPage(Fault):
    """A page lets its visitor wait.

    No other fault shows on it or counts it: when it arrives depends on the machine, and what counts must not.
    """

    kind = "slow_page"

    def answer(self, request):
        """Wait; then the page, unless the episode is over by then."""
        if request.method != "GET" or not self.due(request, f"the page took {self.seconds:g} s"):
            return None
        time.sleep(self.seconds)
        request.faults = ()
        return None if self._current() else HttpResponse("Nobody waits any more.", status=503)


class SoldOut(Unavailable):
    """What the shop says of a product that it will have again soon."""

    code = "outofstock"
    message = wording.SOLD_OUT
    short_message = "Sold out for the moment"

    def is_purchase_permitted(self, quantity):
        """No."""
        return False, "sold out for the moment"


class OutOfStock(Fault):
    """The product whose page is opened is sold out, in lists and for forms, too. What lies in a basket is kept."""

    kind = "out_of_stock"

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self._product = None

    def answer(self, request):
        """Count visits to product pages until the fault begins, then those to that product."""
        page = re.fullmatch(r"/catalogue/[^/]+_(\d+)/", request.path)
        number = int(page[1]) if page and request.method == "GET" else None
        if number is not None and (number == self._product or (not self.begun and self._on_sale(request, number))):
            ever = "" if self.lasts else ", to the end of the episode"
            if self.due(request, f"the product of this page is sold out{ever}"):
                self._product = number
        if self._product is not None and not self.over:
            usual = request.strategy.availability_policy
            request.strategy.availability_policy = lambda product, record: (
                SoldOut() if product.pk == self._product else usual(product, record)
            )

    def _on_sale(self, request, number):
        product = Product.objects.filter(pk=number).first()
        if product is None or request.basket.product_quantity(product):
            return False
        return request.strategy.fetch_for_product(product).availability.is_available_to_buy


class ContaminatedSearch(Fault):
    """Results hold products that do not match, among those that do."""

    kind = "contaminated_search"
    strangers = 3

    def fill(self, request, context):
        """Put strangers first, fourth and seventh, or where the dashboard sorts them. Which, the words alone decide."""
        if request.path == reverse("dashboard:catalogue-product-list"):
            self._fill_table(request, context)
            return
        query, page = request.GET.get("q", ""), context.get("page")
        if request.path != reverse("search:search") or not query or not getattr(page, "object_list", None):
            return
        strangers = self._pick(query)
        names = "; ".join(product.title for product in strangers)
        if self.due(request, f'results for "{query}" hold: {names}'):
            results = list(page.object_list)
            for n, product in enumerate(strangers):
                results.insert(3 * n, SimpleNamespace(object=product))
            page.object_list = results

    def _fill_table(self, request, context):
        query, table = request.GET.get("title") or request.GET.get("upc") or "", context.get("products")
        if not query or table is None or not len(table.rows):
            return
        strangers = self._pick(query)
        names = "; ".join(product.title for product in strangers)
        if self.due(request, f'results for "{query}" hold: {names}'):
            longer = type(table)([*strangers, *table.data])
            RequestConfig(request, paginate={"per_page": table.paginator.per_page}).configure(longer)
            context["products"] = context["table"] = longer

    def _pick(self, query):
        asked = {word.rstrip("s") for word in query.casefold().split()}
        products = Product.objects.browsable()
        strange = [p for p in products if not asked & {word.rstrip("s") for word in p.title.casefold().split()}]
        return sorted(strange, key=lambda p: hashlib.sha256(f"{query}:{p.pk}".encode()).hexdigest())[: self.strangers]


class MovedButton(Fault):
    """Buttons stand elsewhere on their page."""

    kind = "moved_button"

    def rewrite(self, request, html):
        """Cut each button out and put it in at its new place."""
        moved, names, title = html, [], wording.TITLE.search(html)
        for name, button, place, above in wording.MOVES:
            found = button.search(moved)
            if found and place in moved:
                moved = moved[: found.start()] + moved[found.end() :]
                above = above.replace("{title}", title[1] if title else "")
                moved = moved.replace(place, f'{place}<div class="my-4">{above}{found[0]}</div>', 1)
                names.append(name)
        return moved if names and self.due(request, f"elsewhere on the page: {', '.join(names)}") else html


class RenamedLabel(Fault):
    """Buttons have other words on them that mean the same."""

    kind = "renamed_label"

    def rewrite(self, request, html):
        """Other words between the tags."""
        renamed, names = html, []
        labels = wording.STAFF_LABELS if request.path.startswith(DASHBOARD) else wording.LABELS
        for old, new in labels.items():
            renamed, count = re.subn(rf"(>\s*){re.escape(old)}(\s*<)", rf"\g<1>{new}\g<2>", renamed)
            names += [f'"{old}" is called "{new}"'] if count else []
        return renamed if names and self.due(request, "; ".join(names)) else html


class Popup(Fault):
    """A newsletter dialog covers the page until it is closed."""

    kind = "popup"

    def rewrite(self, request, html):
        """The dialog comes last in the page; it closes without a script."""
        if not self.due(request, "a newsletter dialog covers the page"):
            return html
        return html.replace("</body>", render_to_string("shop/faults/popup.html") + "</body>", 1)


KINDS = {
    kind.kind: kind
    for kind in (
        ExpiredSession,
        ServerError,
        SilentValidation,
        OutOfStock,
        ContaminatedSearch,
        MovedButton,
        RenamedLabel,
        Popup,
        SlowPage,
    )
}
"""By name, in the order in which they act on one request. What answers it by itself comes first; who waits, last."""


def _inside(request, address):
    """`address` if it is one of this shop's, else the start page."""
    return address if url_has_allowed_host_and_scheme(address, {request.get_host()}) else "/"
