// Draws the visible part of the graph. All text goes through textContent.

const canvas = document.getElementById("canvas");
const elements = new Map(); // key → group of the box

function createSvg(name, attributes = {}, text = "") {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text) element.textContent = text;
  return element;
}

function draw(layout, visible) {
  elements.clear();
  document.getElementById("lines").replaceChildren(...layout.links.map(drawLink));
  const boxes = [...layout.boxes].map(([key, box]) => drawBox(nodes.get(key), box, countHidden(key, visible)));
  document.getElementById("boxes").replaceChildren(...boxes);
  markSelected();
}

function drawLink(link) {
  const name = edgeClass(link.kind);
  const end = link.route[0] === link.source ? "marker-end" : "marker-start";
  const path = createSvg("path", { class: `edge ${name}${link.sure ? "" : " unsure"}`, d: link.path, [end]: `url(#${name})` });
  path.dataset.source = link.source;
  path.dataset.target = link.target;
  path.append(createSvg("title", {}, link.edges.map(describeEdge).join("\n")));
  return path;
}

function describeEdge(edge) {
  const [source, target] = [nodes.get(edge.source), nodes.get(edge.target)];
  return `${source ? nameOf(source) : edge.source} ${edge.kind} ${target ? nameOf(target) : edge.target} (${edge.how}, ${edge.confidence})`;
}

function drawBox(node, box, hidden) {
  const group = createSvg("g", { class: "node", transform: `translate(${box.x} ${box.y})`, role: "button", tabindex: "-1" });
  const start = state.centres.includes(node.key) ? " start" : "";
  const more = hidden ? `, ${hidden} hidden neighbours` : "";
  group.setAttribute("aria-label", `${nameOf(node)}, ${node.kind.toLowerCase()}, ${placeOf(node)}${more}`);
  group.dataset.key = node.key;
  group.append(
    createSvg("title", {}, [node.key, node.signature, placeOf(node)].filter(Boolean).join("\n")),
    createSvg("rect", { class: `box ${nodeClass(node.kind)}${start}`, width: box.width, height: BOX_HEIGHT, rx: 5 }),
    createSvg("text", { class: "name", x: 12, y: 18 }, box.name),
    createSvg("text", { class: "place", x: 12, y: 34 }, box.small),
  );
  if (hidden) group.append(drawBadge(hidden, box.width));
  elements.set(node.key, group);
  return group;
}

function drawBadge(hidden, width) {
  const text = `+${hidden}`;
  const room = text.length * 6.5 + 10;
  const badge = createSvg("g", { class: "badge", transform: `translate(${width - room + 8} -8)` });
  badge.append(
    createSvg("title", {}, `expand: ${hidden} hidden neighbours`),
    createSvg("rect", { width: room, height: 17, rx: 8 }),
    createSvg("text", { x: room / 2, y: 12 }, text),
  );
  return badge;
}

function markSelected() {
  const key = state.selected;
  canvas.classList.toggle("has-selection", elements.has(key));
  for (const [other, group] of elements) group.classList.toggle("selected", other === key);
  for (const line of document.getElementById("lines").children) {
    line.classList.toggle("near", line.dataset.source === key || line.dataset.target === key);
  }
  const reachable = elements.has(key) ? key : (state.centres.find((centre) => elements.has(centre)) ?? elements.keys().next().value);
  for (const [other, group] of elements) group.setAttribute("tabindex", other === reachable ? "0" : "-1");
}

// The nearest box in a direction: distance counts double across it.
function findNext(key, dx, dy) {
  const from = centreOf(elements.get(key));
  let best = null;
  let least = Infinity;
  for (const [other, group] of elements) {
    const at = centreOf(group);
    const along = (at.x - from.x) * dx + (at.y - from.y) * dy;
    const across = Math.abs((at.x - from.x) * dy) + Math.abs((at.y - from.y) * dx);
    if (other === key || along < 10) continue;
    if (along + 2 * across < least) [best, least] = [other, along + 2 * across];
  }
  return best;
}

function centreOf(group) {
  const { e, f } = group.transform.baseVal.consolidate().matrix;
  const width = Number(group.querySelector("rect").getAttribute("width"));
  return { x: e + width / 2, y: f + BOX_HEIGHT / 2 };
}
