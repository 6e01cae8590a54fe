// Puts the parts together: filters, selection, focus, keys.

const READABLE_ZOOM = 0.55;
let visible = new Set();

function render() {
  visible = findVisible();
  const edges = listVisibleEdges(visible);
  draw(layOut([...visible], edges), visible);
  showDetails(state.selected, visible);
  const left = data.left_out ? ` The walk left out ${count(data.left_out, "node")} or more next to these.` : "";
  document.getElementById("status").textContent =
    `${visible.size.toLocaleString("en")} of ${count(nodes.size, "node")}, ${edges.length.toLocaleString("en")} of ${count(data.edges.length, "edge")}.${left}`;
}

const count = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

// Change what is visible, and keep a box where it is on the screen.
function change(action, key) {
  const before = elements.has(key) ? centreOf(elements.get(key)) : null;
  const had = document.activeElement;
  const wasInCanvas = canvas.contains(had);
  action();
  render();
  const after = elements.has(key) ? centreOf(elements.get(key)) : null;
  if (before && after) {
    camera.x += (before.x - after.x) * camera.zoom;
    camera.y += (before.y - after.y) * camera.zoom;
    applyCamera();
  }
  if (wasInCanvas) elements.get(key)?.focus({ preventScroll: true });
  else if (panel.contains(had) || !document.contains(had)) panel.focus({ preventScroll: true });
}

function select(key) {
  const last = state.selected;
  state.selected = key;
  markSelected();
  showDetails(key, visible);
  if (key) scrollTo(key);
  else elements.get(last)?.focus({ preventScroll: true });
}

// Select a node; show it first if it is hidden.
function goTo(key) {
  state.selected = key;
  if (!visible.has(key)) {
    if (!reveal(key)) setCentre([key]);
    render();
    centreOn(key);
  }
  select(key);
}

function focusOn(key) {
  state.selected = key;
  if (keysOfAddress().join() === key) showCentre();
  else location.hash = encodeURIComponent(key.replace(/\p{Surrogate}/gu, "\ufffd"));
}

function keysOfAddress() {
  try {
    const key = decodeURIComponent(location.hash.slice(1));
    return nodes.has(key) ? [key] : starts;
  } catch {
    return starts;
  }
}

function showCentre() {
  const wasInCanvas = canvas.contains(document.activeElement);
  setCentre(keysOfAddress());
  if (state.selected && !state.centres.includes(state.selected)) state.selected = null;
  render();
  fit(READABLE_ZOOM);
  if (camera.zoom <= READABLE_ZOOM) centreOn(state.centres[0]);
  writeHeading();
  if (wasInCanvas) elements.get(state.centres[0])?.focus({ preventScroll: true });
}

function writeHeading() {
  const names = state.centres.map((key) => nameOf(nodes.get(key)));
  document.getElementById("heading").textContent = names.length > 1 ? `${names[0]} and ${names.length - 1} more` : (names[0] ?? "nothing");
}

function listKinds() {
  const counts = new Map();
  for (const edge of data.edges) counts.set(edge.kind, (counts.get(edge.kind) ?? 0) + 1);
  const boxes = [...counts].sort((a, b) => compare(a[0], b[0])).map(([kind, number]) =>
    createFilter(edgeClass(kind), `${kind} (${number})`, (isOn) => (isOn ? state.hiddenKinds.delete(kind) : state.hiddenKinds.add(kind))));
  const doubtful = data.edges.filter((edge) => !isSure(edge)).length;
  if (doubtful) boxes.push(createFilter("other unsure", `not sure, below 50 % (${doubtful})`, (isOn) => { state.hidesDoubtful = !isOn; }));
  document.getElementById("kinds").append(...boxes);
}

function createFilter(look, text, set) {
  const sample = createSvg("svg", { width: 28, height: 12, "aria-hidden": "true" });
  const line = createSvg("path", { class: `edge ${look}`, d: "M 0 6 L 26 6" });
  if (!look.includes("unsure")) line.setAttribute("marker-end", `url(#${look})`);
  sample.append(line);
  const box = create("input", { type: "checkbox", change: () => change(() => set(box.checked), state.selected ?? state.centres[0]) });
  box.checked = true;
  return create("label", {}, box, sample, ` ${text}`);
}

function listLooks() {
  const used = new Set(data.nodes.map((node) => nodeClass(node.kind)));
  const entries = [["start", "centre"], ...Object.entries(looks.names).filter(([name]) => used.has(name))];
  document.getElementById("looks").append(...entries.map(([name, text]) => {
    const sample = createSvg("svg", { width: 22, height: 14, "aria-hidden": "true" });
    sample.append(createSvg("rect", { class: `sample ${name}`, x: 1.5, y: 1.5, width: 19, height: 11, rx: 3 }));
    return create("span", { class: "look" }, sample, ` ${text}`);
  }));
}

const keyOf = (event) => event.target.closest?.("g.node")?.dataset.key;

canvas.addEventListener("click", (event) => {
  const key = keyOf(event);
  if (wasDragged || !key) return;
  if (event.target.closest(".badge")) change(() => toggle(key), key);
  else select(key);
});
canvas.addEventListener("dblclick", (event) => {
  const key = keyOf(event);
  if (key && !event.target.closest(".badge")) change(() => toggle(key), key);
});

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

canvas.addEventListener("keydown", (event) => {
  const key = keyOf(event);
  if (!key || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key in ARROWS) moveFocus(key, ...ARROWS[event.key]);
  else if (event.key === "Enter" || event.key === " ") {
    select(key);
    panel.focus({ preventScroll: true });
  } else if (event.key === "e") change(() => toggle(key), key);
  else if (event.key === "f") focusOn(key);
  else if (event.key === "o" && addressOf(nodes.get(key))) location.assign(addressOf(nodes.get(key)));
  else return;
  event.preventDefault();
});

function moveFocus(key, dx, dy) {
  const next = findNext(key, dx, dy);
  if (!next) return;
  for (const [other, group] of elements) group.setAttribute("tabindex", other === next ? "0" : "-1");
  elements.get(next).focus({ preventScroll: true });
  scrollTo(next);
}

const SHORTCUTS = {
  "/": () => query.focus(),
  "+": () => zoomAt(1.25),
  "=": () => zoomAt(1.25),
  "-": () => zoomAt(0.8),
  0: () => fit(),
  h: () => goHome(),
  "?": () => toggleKeys(),
};

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && event.target !== query) {
    document.getElementById("keys").hidden = true;
    select(null);
  }
  if (event.target.closest?.("input:not([type=checkbox], [type=radio])") || !Object.hasOwn(SHORTCUTS, event.key)) return;
  event.preventDefault();
  SHORTCUTS[event.key]();
});

function goHome() {
  state.selected = null;
  if (location.hash) location.hash = "";
  else showCentre();
}

function toggleKeys() {
  const keys = document.getElementById("keys");
  keys.hidden = !keys.hidden;
  document.getElementById("help").setAttribute("aria-expanded", String(!keys.hidden));
}

for (const [id, action] of Object.entries({ back: goHome, smaller: () => zoomAt(0.8), larger: () => zoomAt(1.25), fit: () => fit(), help: toggleKeys })) {
  document.getElementById(id).addEventListener("click", action);
}
for (const choice of document.querySelectorAll('input[name="direction"]')) {
  choice.addEventListener("change", () => change(() => { state.direction = choice.value; }, state.centres[0]));
}
window.addEventListener("hashchange", showCentre);

if (window.matchMedia("(max-width: 720px)").matches) document.getElementById("filters").open = false;
listKinds();
listLooks();
showCentre();
