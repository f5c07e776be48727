"use strict";
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const make = (tag, properties = {}) => Object.assign(document.createElement(tag), properties);

  const reveal = () => {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    if (!target) return;
    const inner = target.matches("article") ? target.querySelector("details") : null;
    for (let node = inner || target; node; node = node.parentElement) if (node.matches("details")) node.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  reveal();

  let closed = [];
  addEventListener("beforeprint", () => {
    closed = all("details.body:not([open]), details.proof:not([open])");
    for (const node of closed) node.open = true;
  });
  addEventListener("afterprint", () => {
    for (const node of closed) node.open = false;
  });

  const table = document.getElementById("table");
  if (table) {
    const body = table.tBodies[0];
    const rows = [...body.rows];
    const heads = all("th", table.tHead);
    const key = (row, column) => {
      const cell = row.cells[column];
      return "v" in cell.dataset ? Number(cell.dataset.v) : cell.textContent.trim().toLowerCase();
    };
    const compare = (a, b) => (typeof a === "number" ? a - b : a.localeCompare(b));
    heads.forEach((head, column) => {
      const button = make("button", { type: "button", textContent: head.textContent });
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const numeric = head.classList.contains("n") || head.classList.contains("h");
        const first = numeric ? "descending" : "ascending";
        const other = numeric ? "ascending" : "descending";
        const order = head.getAttribute("aria-sort") === first ? other : first;
        for (const each of heads) each.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", order);
        const sign = order === "ascending" ? 1 : -1;
        rows.sort((a, b) => sign * compare(key(a, column), key(b, column)));
        body.append(...rows);
      });
    });

    const tools = document.querySelector(".tools");
    tools.hidden = false;
    tools.addEventListener("submit", (event) => event.preventDefault());
    const filter = document.getElementById("filter");
    const shown = document.getElementById("shown");
    filter.addEventListener("input", () => {
      const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
      let kept = 0;
      for (const row of rows) {
        const panel = document.getElementById(row.querySelector("a").hash.slice(1));
        const told = [row, panel.querySelector("header"), panel.querySelector(".launches")];
        const text = told.map((node) => node?.textContent).join(" ").toLowerCase();
        const match = words.every((word) => text.includes(word));
        row.hidden = panel.hidden = !match;
        kept += match;
      }
      shown.textContent = words.length ? `${kept} of ${rows.length} kernels` : "";
    });
    for (const button of all("button[data-open]", tools)) {
      button.addEventListener("click", () => {
        for (const node of all("details.body")) node.open = button.dataset.open === "true";
      });
    }
  }

  const block = document.getElementById("metrics");
  const limit = 200;
  let unpacked = null;
  const unpack = async () => {
    const bytes = Uint8Array.from(atob(block.textContent), (char) => char.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  };
  const show = (cell) => {
    if (Array.isArray(cell)) return cell[0] || "no value";
    return typeof cell === "number" ? cell.toLocaleString("en-US", { maximumSignificantDigits: 6 }) : cell;
  };
  const fill = async (details) => {
    const index = Number(details.dataset.kernel);
    unpacked = unpacked || unpack();
    const { names, units, cells } = await unpacked;
    const label = make("label", { textContent: "Search " });
    const input = make("input", { type: "search", autocomplete: "off", placeholder: "part of a metric's name" });
    const note = make("output");
    const list = make("table", { className: "metric-list" });
    const caption = list.createCaption();
    caption.textContent = "Base units; rates of counters that are zero are left out";
    const rows = list.createTBody();
    label.append(input);
    const draw = () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      const found = [];
      names.forEach((name, place) => {
        if (cells[place][index] !== null && words.every((word) => name.toLowerCase().includes(word))) found.push(place);
      });
      rows.replaceChildren(
        ...found.slice(0, limit).map((place) => {
          const row = make("tr");
          const head = make("th", { scope: "row" });
          head.append(make("code", { textContent: names[place] }));
          row.append(head, make("td", { className: "n", textContent: show(cells[place][index]) }));
          row.append(make("td", { textContent: units[place] }));
          return row;
        }),
      );
      note.textContent = found.length > limit ? `first ${limit} of ${found.length}` : `${found.length} metrics`;
    };
    input.addEventListener("input", draw);
    draw();
    details.append(label, note, list);
  };
  for (const details of all("details.metrics")) {
    const open = () => {
      if (!details.open) return;
      details.removeEventListener("toggle", open);
      fill(details).catch(() => {
        details.append(make("p", { textContent: "This browser cannot unpack the list." }));
      });
    };
    details.addEventListener("toggle", open);
  }
})();
