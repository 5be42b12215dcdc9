"use strict";
// The steps as a player: one at a time, with keys, a strip of thumbnails, and a mark in the drawing of the plan.
(() => {
  const steps = [...document.querySelectorAll("#player > .step")];
  if (!steps.length) return;
  const byId = (id) => document.getElementById(id);
  const links = [...document.querySelectorAll(".strip a")];
  const strip = document.querySelector(".strip");
  const cursor = byId("now");
  let now = -1;
  let timer = 0;

  const show = (n, { quiet = false } = {}) => {
    const next = Math.min(Math.max(n, 0), steps.length - 1);
    if (next === now) return;
    steps[now]?.classList.remove("now");
    links[now]?.removeAttribute("aria-current");
    now = next;
    steps[now].classList.add("now");
    links[now].setAttribute("aria-current", "step");
    const item = links[now].parentElement;
    strip.scrollTo({ left: item.offsetLeft - strip.offsetLeft - (strip.clientWidth - item.offsetWidth) / 2 });
    byId("back").disabled = now === 0;
    byId("on").disabled = now === steps.length - 1;
    byId("place").textContent = `step ${now} of ${steps.length - 1}`;
    point();
    if (!quiet) history.replaceState(null, "", `#step-${now}`);
  };

  const point = () => {
    if (!cursor) return;
    const { left, right, steps: all } = cursor.ownerSVGElement.dataset;
    const x = Number(left) + ((right - left) * Math.min(now, all)) / all;
    cursor.setAttribute("x", x - 6);
    cursor.setAttribute("visibility", "visible");
  };

  const stop = () => {
    clearInterval(timer);
    timer = 0;
    byId("play").textContent = "Play";
    byId("play").setAttribute("aria-pressed", "false");
  };
  const play = () => {
    if (now === steps.length - 1) show(0);
    timer = setInterval(() => {
      show(now + 1);
      if (now === steps.length - 1) stop();
    }, 900);
    byId("play").textContent = "Pause";
    byId("play").setAttribute("aria-pressed", "true");
  };

  const go = (n) => {
    stop();
    show(n);
  };
  const fromAddress = () => {
    const found = /^#step-(\d+)$/.exec(location.hash);
    return found ? Number(found[1]) : null;
  };

  document.querySelector(".turn").hidden = steps.length < 2;
  byId("back").addEventListener("click", () => go(now - 1));
  byId("on").addEventListener("click", () => go(now + 1));
  byId("play").addEventListener("click", () => (timer ? stop() : play()));
  links.forEach((link, n) =>
    link.addEventListener("click", (event) => {
      event.preventDefault();
      go(n);
    }),
  );
  document.addEventListener("click", (event) => {
    // A link to a step elsewhere on the page: it must be shown before the browser goes there.
    const found = /^#step-(\d+)$/.exec(event.target.closest?.("a")?.getAttribute("href") ?? "");
    if (found) go(Number(found[1]));
  });
  addEventListener("hashchange", () => {
    const n = fromAddress();
    if (n !== null) show(n, { quiet: true });
  });
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.target.closest?.("pre, .plan, input")) return; // There the arrows scroll.
    const by = { j: 1, ArrowRight: 1, k: -1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    go(now + by);
    byId("player").scrollIntoView({ block: "nearest" });
  });
  // The first notable step says more than the page at the start.
  const notable = links.findIndex((link) => link.classList.contains("bad") || link.classList.contains("rev"));
  show(fromAddress() ?? Math.max(notable, 0), { quiet: true });
})();
