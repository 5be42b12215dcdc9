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
  const heads = [...list.tHead.rows[0].cells];
  const state = { page: 0, column: -1, down: false };

  // A line that stands in the page.
  const written = (element) => ({
    text: element.textContent.toLowerCase(),
    group: element.dataset.group,
    run: element.dataset.run,
    value: (column) => element.cells[column].dataset.v ?? element.cells[column].textContent.trim(),
    element: () => element,
  });

  const made = (tag, name, text, ...inside) => {
    const element = document.createElement(tag);
    if (name) element.className = name;
    element.append(...[text, ...inside].filter((part) => part !== ""));
    return element;
  };
  const thousands = (n) => (n < 1000 ? `${n}` : `${(n / 1000).toFixed(n < 99950 ? 1 : 0)}k`);
  const ENDED = {
    harness_error: ["n", "harness error"],
    unreadable: ["n", "trace unreadable"],
    unfinished: ["soft", "unfinished"],
    budget: ["", "budget used up"],
    infeasible: ["", "gave up"],
    done: ["", "done"],
  };

  // A line that is data: its element is made when it is looked at.
  const given = ({ runs, tasks, groups, kinds, ends, rows }) => {
    const names = run ? [...run.options].slice(1).map((option) => option.text) : [""];
    return rows.map((row) => {
      const [task, repeat, of, group, kind, pips, delivered, revisions, forced, steps, most, repairs, tokens] = row;
      const [end, picture, elsewhere] = row.slice(13);
      const [name, title] = tasks[task];
      const met = [...pips].filter((tone) => tone === "y").length;
      const label = repeat ? `${name} · repeat ${repeat}` : name;
      const [tone, ended] = ENDED[ends[end]];
      const share = group < 2 ? met / pips.length : -1;
      const values = [name, ...(run ? [names[of]] : []), kinds[kind], share, delivered, steps, repairs, tokens, ended];
      const element = () => {
        const folder = elsewhere || `${runs[of]}/${encodeURIComponent(name)}/${repeat}/`;
        const shot = made(picture ? "img" : "i", "thumb", "");
        if (picture) Object.assign(shot, { src: `${folder}shots/${picture}`, alt: "", loading: "lazy", width: 80, height: 45 });
        const go = made("a", "go", label);
        go.href = `${folder}index.html`;
        const squares = made("span", "pips", "", ...[...pips].map((pip) => made("i", pip, "")));
        squares.setAttribute("role", "img");
        squares.setAttribute("aria-label", `${met} of ${pips.length} satisfied`);
        const counted = group < 3 ? made("span", groups[group] === "met" ? "y" : "", `${met}/${pips.length} `) : "";
        const bar = made("span", "bar", "", made("i", "", ""));
        bar.style.setProperty("--w", `${Math.min(100, (100 * steps) / most)}%`);
        const came = revisions ? [`${delivered}/${revisions}`, forced ? made("small", "", ` ${forced} forced`) : ""] : ["–"];
        const cells = [
          made("td", "", shot, made("div", "", go, made("span", "about", title))),
          ...(run ? [made("td", "run", made("span", "key", ""), names[of])] : []),
          made("td", "fig", kinds[kind]),
          made("td", "", ...(pips ? [counted, squares] : ["–"])),
          made("td", "", ...came),
          made("td", "", `${steps}`, bar),
          made("td", "num", `${repairs}`),
          made("td", "num", thousands(tokens)),
          made("td", "", made("span", tone, ended)),
        ];
        ["revisions", "steps", "repairs", "tokens"].forEach((key, n) => { cells[n - 5 + cells.length].dataset.k = key; });
        return made("tr", `t${of % 6}`, "", ...cells);
      };
      return {
        text: `${label} ${title} ${names[of]} ${kinds[kind]} ${ended}`.toLowerCase(),
        group: groups[group],
        run: `${of}`,
        value: (column) => values[column],
        element,
      };
    });
  };

  const data = byId("data");
  const rows = data ? given(JSON.parse(data.textContent)) : [...body.rows].map(written);

  const sort = () => {
    const { column, down } = state;
    heads.forEach((head, n) =>
      n === column ? head.setAttribute("aria-sort", down ? "descending" : "ascending") : head.removeAttribute("aria-sort"),
    );
    if (column < 0) return;
    const numeric = heads[column].dataset.sort === "number";
    const compare = new Intl.Collator(undefined, { numeric: true }).compare;
    const keyed = rows.map((row) => [row.value(column), row]);
    keyed.sort(([a], [b]) => (down ? -1 : 1) * (numeric ? Number(a) - Number(b) : compare(a, b)));
    keyed.forEach(([, row], n) => { rows[n] = row; });
  };

  const shown = () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    const group = form.elements.group.value;
    return rows.filter(
      (row) =>
        (!group || row.group === group) &&
        (!run?.value || row.run === run.value) &&
        words.every((word) => row.text.includes(word)),
    );
  };

  const put = (some) => body.replaceChildren(...some.map((row) => row.element()));

  const draw = () => {
    const found = shown();
    const last = Math.max(0, Math.ceil(found.length / PAGE) - 1);
    state.page = Math.min(state.page, last);
    put(found.slice(state.page * PAGE, (state.page + 1) * PAGE));
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
  addEventListener("beforeprint", () => put(shown()));
  addEventListener("afterprint", draw);

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
    const links = [...body.querySelectorAll("a.go")];
    const now = links.indexOf(document.activeElement);
    const next = event.key === "j" ? now + 1 : now < 0 ? links.length - 1 : now - 1;
    links[Math.min(Math.max(next, 0), links.length - 1)]?.focus();
  });

  recall();
  sort();
  draw();
})();
