// Search among all nodes of the page, visible or not: a text field with a list (the combobox pattern).

const query = document.getElementById("query");
const results = document.getElementById("results");
const MOST_RESULTS = 12;
let chosen = -1;

function search(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return [];
  const ranked = [];
  for (const node of data.nodes) {
    const name = nameOf(node).toLowerCase();
    const whole = `${node.key} ${placeOf(node)}`.toLowerCase();
    if (!words.every((word) => whole.includes(word) || name.includes(word))) continue;
    const rank = name === words[0] || node.name.toLowerCase() === words[0] ? 0 : name.startsWith(words[0]) ? 1 : name.includes(words[0]) ? 2 : 3;
    ranked.push([rank, node]);
  }
  return ranked.sort((a, b) => a[0] - b[0] || a[1].depth - b[1].depth || compare(a[1].key, b[1].key)).map(([, node]) => node);
}

function showResults() {
  const found = search(query.value);
  const rows = found.slice(0, MOST_RESULTS).map((node, at) => create("li",
    { role: "option", id: `result-${at}`, "aria-selected": "false", pointerdown: (event) => event.preventDefault(), click: () => choose(node.key) },
    create("b", {}, nameOf(node)), create("small", {}, ` ${node.kind.toLowerCase()} ${placeOf(node)}`)));
  rows.forEach((row, at) => { row.dataset.key = found[at].key; });
  const note = !query.value.trim() ? "" : !found.length ? "Nothing in this page has this name." : found.length > MOST_RESULTS ? `… ${found.length - MOST_RESULTS} more` : "";
  results.replaceChildren(...rows, ...(note ? [create("li", { class: "note", role: "presentation" }, note)] : []));
  results.hidden = !results.children.length;
  query.setAttribute("aria-expanded", String(!results.hidden));
  mark(rows.length ? 0 : -1);
}

function mark(at) {
  const rows = [...results.querySelectorAll('[role="option"]')];
  chosen = rows.length ? (at + rows.length) % rows.length : -1;
  rows.forEach((row, number) => row.setAttribute("aria-selected", String(number === chosen)));
  if (chosen >= 0) query.setAttribute("aria-activedescendant", `result-${chosen}`);
  else query.removeAttribute("aria-activedescendant");
}

function closeResults() {
  results.hidden = true;
  query.setAttribute("aria-expanded", "false");
}

function choose(key) {
  query.value = "";
  closeResults();
  goTo(key);
  elements.get(key)?.focus({ preventScroll: true });
}

query.addEventListener("input", showResults);
query.addEventListener("blur", closeResults);
query.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown") mark(chosen + 1);
  else if (event.key === "ArrowUp") mark(chosen - 1);
  else if (event.key === "Enter" && chosen >= 0) choose(results.children[chosen].dataset.key);
  else if (event.key === "Escape") {
    query.value = "";
    closeResults();
    query.blur();
    return;
  } else return;
  event.preventDefault();
});
