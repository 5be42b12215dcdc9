"use strict";
// The list of episodes: find, filter, sort, turn pages; keys; and all of it kept in the address for the way back.
(() => {
  const list = document.getElementById("list");
  if (!list) return;
  const PAGE = 50;
  const byId = (id) => document.getElementById(id);
  const form = byId("filter");
  const find = byId("find");
  const run = byId("run");
  const body = list.tBodies[0];
  const rows = [...body.rows].map((element) => ({ element, text: element.textContent.toLowerCase() }));
  const heads = [...list.tHead.rows[0].cells];
  const state = { page: 0, column: -1, down: false };

  const valueOf = (row, column) => {
    const cell = row.element.cells[column];
    return cell.dataset.v ?? cell.textContent.trim();
  };

  const sort = () => {
    const { column, down } = state;
    heads.forEach((head, n) =>
      n === column ? head.setAttribute("aria-sort", down ? "descending" : "ascending") : head.removeAttribute("aria-sort"),
    );
    if (column < 0) return;
    const numeric = heads[column].dataset.sort === "number";
    const compare = new Intl.Collator(undefined, { numeric: true }).compare;
    const keyed = rows.map((row) => [valueOf(row, column), row]);
    keyed.sort(([a], [b]) => (down ? -1 : 1) * (numeric ? Number(a) - Number(b) : compare(a, b)));
    keyed.forEach(([, row], n) => { rows[n] = row; });
    body.append(...rows.map((row) => row.element));
  };

  const shown = () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    const group = form.elements.group.value;
    return rows.filter(
      ({ element, text }) =>
        (!group || element.dataset.group === group) &&
        (!run?.value || element.dataset.run === run.value) &&
        words.every((word) => text.includes(word)),
    );
  };

  const draw = () => {
    const found = shown();
    const last = Math.max(0, Math.ceil(found.length / PAGE) - 1);
    state.page = Math.min(state.page, last);
    const visible = new Set(found.slice(state.page * PAGE, (state.page + 1) * PAGE));
    for (const row of rows) row.element.hidden = !visible.has(row);
    byId("found").textContent = found.length === rows.length ? "" : `${found.length} of ${rows.length}`;
    byId("pages").hidden = last === 0;
    byId("place").textContent = `page ${state.page + 1} of ${last + 1}`;
    byId("back").disabled = state.page === 0;
    byId("on").disabled = state.page === last;
    keep();
  };

  const keep = () => {
    const parts = new URLSearchParams();
    if (find.value) parts.set("find", find.value);
    if (form.elements.group.value) parts.set("group", form.elements.group.value);
    if (run?.value) parts.set("run", run.value);
    if (state.column >= 0) parts.set("sort", `${state.down ? "-" : ""}${state.column}`);
    if (state.page) parts.set("page", state.page + 1);
    const text = parts.toString();
    if (text || location.hash.includes("=")) history.replaceState(null, "", text ? `#${text}` : location.pathname);
  };

  const recall = () => {
    if (!location.hash.includes("=")) return;
    const parts = new URLSearchParams(location.hash.slice(1));
    find.value = parts.get("find") ?? "";
    for (const radio of form.elements.group) radio.checked = radio.value === (parts.get("group") ?? "");
    if (![...form.elements.group].some((radio) => radio.checked)) form.elements.group[0].checked = true;
    if (run) run.value = parts.get("run") ?? "";
    if (run && run.selectedIndex < 0) run.value = "";
    const column = parts.get("sort");
    if (column !== null && heads[Math.abs(Number(column))]) {
      state.column = Math.abs(Number(column));
      state.down = column.startsWith("-");
    }
    state.page = Math.max(0, (Number(parts.get("page")) || 1) - 1);
  };

  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    button.addEventListener("click", () => {
      // Numbers are wanted from the top first, names from the beginning.
      const first = head.dataset.sort === "number";
      state.down = state.column === column ? !state.down : first;
      state.column = column;
      state.page = 0;
      sort();
      draw();
    });
    head.replaceChildren(button);
  });
  const turn = (by) => {
    state.page += by;
    draw();
    byId("episodes").scrollIntoView();
  };
  byId("back").addEventListener("click", () => turn(-1));
  byId("on").addEventListener("click", () => turn(1));
  form.addEventListener("input", () => { state.page = 0; draw(); });
  form.addEventListener("submit", (event) => event.preventDefault());

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.matches("input[type=search], select, textarea");
    if (event.key === "Escape" && event.target === find) find.blur();
    if (typing) return;
    if (event.key === "/") {
      event.preventDefault();
      find.focus();
    }
    if (event.key !== "j" && event.key !== "k") return;
    const links = rows.filter((row) => !row.element.hidden).map((row) => row.element.querySelector("a.go"));
    const now = links.indexOf(document.activeElement);
    const next = event.key === "j" ? now + 1 : now < 0 ? links.length - 1 : now - 1;
    links[Math.min(Math.max(next, 0), links.length - 1)]?.focus();
  });

  recall();
  sort();
  draw();
})();
