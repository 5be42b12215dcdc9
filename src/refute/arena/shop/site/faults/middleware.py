"""Between the shop and its visitors: hands each page request to the faults of the episode, in the order of `KINDS`."""

from pathlib import Path

from django.conf import settings
from django.http import HttpResponse

from faults.desk import BadFaults, Desk
from faults.kinds import KINDS


class Faults:
    """Django middleware. It stands next to the views, so that user, basket and stock are known when a fault acts."""

    def __init__(self, get_response):
        self._get_response = get_response
        self._desk = Desk(Path(settings.DATA), KINDS)

    def __call__(self, request):
        """The page, or what a fault makes of it."""
        try:
            request.faults = self._desk.faults() if is_page(request) else ()
        except BadFaults as error:
            self._desk.note(error=str(error))
            return HttpResponse(f"The shop does not know which faults to serve: {error}", status=500)
        for fault in request.faults:
            answer = fault.answer(request)
            if answer is not None:
                return answer
        response = self._get_response(request)
        if request.faults and is_html(response):
            html = response.content.decode()
            for fault in request.faults:
                html = fault.rewrite(request, html)
            response.content = html
        return response

    def process_template_response(self, request, response):
        """What a template is about to show passes the faults, too."""
        for fault in request.faults:
            fault.fill(request, response.context_data or {})
        return response


def is_page(request):
    """Whether somebody goes to a page: no picture, no request of a page's own script, nothing fetched ahead of time."""
    to_see = request.headers.get("Sec-Fetch-Dest", "document") == "document"
    return to_see and request.method in ("GET", "POST") and "Sec-Purpose" not in request.headers


def is_html(response):
    """Whether this is a page that arrived."""
    kind = response.headers.get("Content-Type", "")
    return response.status_code == 200 and kind.startswith("text/html") and not response.streaming
