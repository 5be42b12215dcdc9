"use strict";
// The list of views tells which one is looked at; j and k go from view to view.
(() => {
  const links = [...document.querySelectorAll(".contents a")];
  const sections = links.map((link) => document.getElementById(link.hash.slice(1)));
  // The last one whose beginning has come into the upper third; at the very end of the page the last of all.
  const current = () => {
    const root = document.documentElement;
    if (root.scrollHeight - root.clientHeight - root.scrollTop < 4) return sections.length - 1;
    const below = sections.findIndex((section) => section.getBoundingClientRect().top > root.clientHeight / 3);
    return Math.max(0, (below < 0 ? sections.length : below) - 1);
  };
  const show = () => {
    const now = current();
    links.forEach((link, n) => (n === now ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current")));
  };
  addEventListener("scroll", show, { passive: true });
  addEventListener("resize", show);
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || (event.key !== "j" && event.key !== "k")) return;
    const next = current() + (event.key === "j" ? 1 : -1);
    sections[Math.min(Math.max(next, 0), sections.length - 1)]?.scrollIntoView();
  });
  if (links.length) show();
})();
