"""Runs in BrowserGym's own environment, never in ours: answers JSON lines on standard input with JSON lines.

    {"do": "tasks"}                                   -> {"tasks": ["miniwob.click-button", …]}
    {"do": "open", "endpoint": "http://127.0.0.1:N"}  -> {}
    {"do": "start", "task": …, "seed": 0, "url": …}   -> {"goal": "…", "images": 0, "viewport": […], "info": {…}}
    {"do": "validate", "url": …, "chat": […]}         -> {"reward": 1.0, "done": true, "message": "", "info": {…}}
    {"do": "teardown"}                                -> {}

A failure is {"error": "…"} with the exception's type and text. What BrowserGym prints goes to standard error.
"""

import importlib
import json
import sys


class Child:
    """One browser, one task at a time."""

    def __init__(self, package):
        self.package = package
        importlib.import_module("browsergym." + package)
        self.task = None
        self.page = None
        self.browser = None

    def tasks(self):
        """The ids that the package has registered, without the prefix."""
        import gymnasium

        prefix = "browsergym/" + self.package + "."
        found = [name[len("browsergym/") :] for name in gymnasium.registry if name.startswith(prefix)]
        return {"tasks": found}

    def open(self, endpoint):
        """Connect to the browser that the harness started."""
        from browsergym.core import _get_global_playwright

        playwright = _get_global_playwright()
        playwright.selectors.set_test_id_attribute("bid")
        self.browser = playwright.chromium.connect_over_cdp(endpoint)
        # with a listener that does nothing, dialogs are left to the harness
        self.browser.contexts[0].on("dialog", lambda dialog: None)
        return {}

    def start(self, task, seed, url, config=None):
        """Set the task up on the page that stands at `url`; by `config` instead of the package's own, if one is given."""
        import gymnasium

        self.teardown()
        context = self.browser.contexts[0]
        self.page = next(page for page in context.pages if page.url == url)
        # the entry point makes an environment around the task; the task is all that is wanted of it
        environment = gymnasium.registry["browsergym/" + task].entry_point()
        self.task = environment.task_entrypoint(seed=seed, **environment.task_kwargs)
        if config is not None:
            self.task.task_configs = [with_addresses(config, self.task.webarena_instance.urls)]
        context.set_default_timeout(self.task.timeout)
        goal, info = self.task.setup(page=self.page)
        parts = [{"type": "text", "text": goal}] if isinstance(goal, str) else goal or []
        texts = [part["text"] for part in parts if part["type"] == "text"]
        return {"goal": "\n".join(texts), "images": len(parts) - len(texts), "info": info}

    def validate(self, url, chat):
        """Ask the task for its reward; `url` is the address of the tab in front."""
        pages = self.browser.contexts[0].pages
        page = self.page
        if page.is_closed() or page.url != url:
            page = next((other for other in pages if other.url == url), page)
        reward, done, message, info = self.task.validate(page, chat)
        return {"reward": float(reward), "done": bool(done), "message": message, "info": info}

    def teardown(self):
        """End the task, if one is set up."""
        task, self.task = self.task, None
        if task is not None:
            task.teardown()
        return {}


def with_addresses(config, urls):
    """A WebArena configuration with each site's address in the place of its mark, such as __SHOPPING__."""
    text = json.dumps(config)
    for site, url in urls.items():
        text = text.replace("__" + site.upper() + "__", url)
    return json.loads(text)


def main():
    """Answer until standard input ends."""
    out, sys.stdout = sys.stdout, sys.stderr
    child = Child(sys.argv[1])
    print(json.dumps({"ready": True}), file=out, flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = getattr(child, request.pop("do"))(**request)
        except BaseException as error:
            answer = {"error": type(error).__name__ + ": " + str(error)}
        print(json.dumps(answer, default=str), file=out, flush=True)


if __name__ == "__main__":
    main()
