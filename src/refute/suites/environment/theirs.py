"""Runs in BrowserGym's own environment: times its reset, its steps and its observation, and prints one JSON object.

    theirs.py '{"browser": …, "pages": {…}, "rows": […], "repeats": 20, "delay": null, "deadline": 120}'
"""

import json
import os
import re
import statistics
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


def milliseconds(call):
    began = time.perf_counter()
    result = call()
    return 1000 * (time.perf_counter() - began), result


def median(values):
    return round(statistics.median(values), 1)


def text_of(observation):
    extra = observation["extra_element_properties"]
    return flatten_axtree_to_str(observation["axtree_object"], extra_properties=extra, with_clickable=True)


def row(name, repeats):
    delay = {} if settings["delay"] is None else {"pre_observation_delay": settings["delay"]}
    if name == "miniwob":
        env = BrowserEnv(task_entrypoint=ClickButtonTask, **delay)
    else:
        page = {"start_url": settings["pages"][name], "goal": "x"}
        env = BrowserEnv(task_entrypoint=OpenEndedTask, task_kwargs=page, **delay)
    resets = []
    for seed in range(settings["resets"].get(name, 1)):
        spent, (observation, _) = milliseconds(lambda: env.reset(seed=seed))
        resets.append(spent)
    if name == "large":
        observed = [milliseconds(lambda: text_of(env._get_obs()))[0] for _ in range(min(repeats, 3))]
        env.close()
        return {"observe": median(observed), "repeats": len(observed)}
    kind = {"miniwob": r"\[(\w+)\] (?:textbox|button)", "navigate": r"\[(\w+)\] link"}.get(name, r"\[(\w+)\] button")
    steps = []
    tries = 0
    while len(steps) < repeats:
        tries += 1
        bid = re.search(kind, text_of(observation)).group(1)

        def step():
            observation, *_ = env.step(f"click('{bid}')")
            text_of(observation)
            return observation

        spent, observation = milliseconds(step)
        error = observation["last_action_error"]
        if not error:
            steps.append(spent)
        elif tries > 2 * repeats:  # a click has half a second in BrowserGym, which a busy machine may not keep
            raise RuntimeError(error)
    env.close()
    return {"reset": median(resets), "step": median(steps), "repeats": len(steps), "resets": len(resets)}


print(json.dumps({name: row(name, settings["repeats"]) for name in settings["rows"]}))
