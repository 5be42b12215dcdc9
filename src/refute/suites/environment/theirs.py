"""Runs in BrowserGym's own environment: times its resets, steps and observations on one page.

    theirs.py '{"browser": …, "page": "http://…", "row": "items", "repeats": 20, "resets": 1, "delay": null}'

Prints a JSON object a line whenever a call begins, what it is (`kind`), and another as soon as it is timed, with the
milliseconds (`ms`) and whether BrowserGym `gave_up`.
"""

import json
import os
import re
import sys
import time

settings = json.loads(sys.argv[1])
os.environ["MINIWOB_URL"] = settings["miniwob"]

import playwright.sync_api as sync

launch = sync.BrowserType.launch
sync.BrowserType.launch = lambda self, **more: launch(self, **{"executable_path": settings["browser"], **more})

from browsergym.core.env import BrowserEnv
from browsergym.core.task import OpenEndedTask
from browsergym.miniwob.all import ClickButtonTask
from browsergym.utils.obs import flatten_axtree_to_str


def timed(kind, call):
    """How long `call` took, and what it returns. The pass ends with a call that BrowserGym gives up."""
    say(kind)
    began = time.perf_counter()
    try:
        result = call()
    except sync.TimeoutError:
        say(kind, ms=round(1000 * (time.perf_counter() - began), 2), gave_up=True)
        sys.exit()
    return 1000 * (time.perf_counter() - began), result


def say(kind, **more):
    print(json.dumps({"kind": kind, **more}), flush=True)


def took(kind, ms):
    say(kind, ms=round(ms, 2))


def text_of(observation):
    extra = observation["extra_element_properties"]
    return flatten_axtree_to_str(observation["axtree_object"], extra_properties=extra, with_clickable=True)


def measure(name, repeats):
    delay = {} if settings["delay"] is None else {"pre_observation_delay": settings["delay"]}
    if name == "miniwob":
        env = BrowserEnv(task_entrypoint=ClickButtonTask, **delay)
    else:
        page = {"start_url": settings["page"], "goal": "x"}
        env = BrowserEnv(task_entrypoint=OpenEndedTask, task_kwargs=page, **delay)
    for seed in range(settings["resets"]):
        spent, (observation, _) = timed("reset", lambda: env.reset(seed=seed))
        took("reset", spent)
    if name == "large":
        for _ in range(min(repeats, 3)):
            took("observation", timed("observation", lambda: text_of(env._get_obs()))[0])
    else:
        measure_steps(env, observation, name, repeats)
    env.close()


def measure_steps(env, observation, name, repeats):
    kind = {"miniwob": r"\[(\w+)\] (?:textbox|button)", "navigate": r"\[(\w+)\] link"}.get(name, r"\[(\w+)\] button")
    tries = done = 0
    while done < repeats:
        tries += 1
        bid = re.search(kind, text_of(observation)).group(1)

        def step():
            observation, *_ = env.step(f"click('{bid}')")
            text_of(observation)
            return observation

        spent, observation = timed("step", step)
        error = observation["last_action_error"]
        if not error:
            done += 1
            took("step", spent)
        elif tries > 2 * repeats:  # a click has half a second in BrowserGym, which a busy machine may not keep
            raise RuntimeError(error)


measure(settings["row"], settings["repeats"])
