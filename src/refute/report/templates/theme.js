"use strict";
// Runs in the head, before anything is painted: a page never flashes in the wrong theme.
(() => {
  const root = document.documentElement;
  const KEY = "refute-theme";
  root.classList.add("js");

  const remembered = () => {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null; // Some browsers give pages from a file no storage.
    }
  };
  const remember = (theme) => {
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // Then it holds for this page only.
    }
  };

  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : prefersDark.matches);
  const saved = remembered();
  if (saved === "dark" || saved === "light") root.dataset.theme = saved;

  addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    const show = () => button.setAttribute("aria-pressed", String(isDark()));
    button.hidden = false;
    button.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      remember(root.dataset.theme);
      show();
    });
    prefersDark.addEventListener("change", show);
    show();
  });
})();
