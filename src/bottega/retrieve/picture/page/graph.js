// The graph of the page: what there is, what is visible, and what is hidden behind it.

const data = JSON.parse(document.getElementById("data").textContent);
const looks = JSON.parse(document.getElementById("looks-data").textContent);
const PAGE_OF_NEIGHBOURS = 24;
const LEAST_SURE = 0.5;

const nodes = new Map(data.nodes.map((node) => [node.key, node]));
const starts = data.nodes.filter((node) => node.depth === 0).map((node) => node.key);
const edgesOf = new Map(data.nodes.map((node) => [node.key, []]));
for (const edge of data.edges) {
  edgesOf.get(edge.source)?.push(edge);
  if (edge.target !== edge.source) edgesOf.get(edge.target)?.push(edge);
}

const state = {
  centres: starts,
  expanded: new Map(), // key → how many neighbours
  revealed: new Set(), // shown although nothing expanded leads there
  selected: null,
  hiddenKinds: new Set(),
  hidesDoubtful: false,
  direction: "both",
};

const isSure = (edge) => edge.confidence >= LEAST_SURE;
const edgeClass = (kind) => (looks.edges.includes(kind) ? kind : "other");
const nodeClass = (kind) => (Object.hasOwn(looks.nodes, kind) ? looks.nodes[kind] : "plain");
const isAllowed = (edge) => !state.hiddenKinds.has(edge.kind) && !(state.hidesDoubtful && !isSure(edge));
const otherEnd = (edge, key) => (edge.source === key ? edge.target : edge.source);

// `Class.method`, `outer.inner`, the name of a file.
function nameOf(node) {
  const owners = node.key.slice(0, Math.max(node.key.lastIndexOf("|"), 0)).split(".").slice(0, -1);
  const owner = (owners.at(-1) ?? "").split(":").at(-1);
  const stem = node.span ? node.span.path.split("/").at(-1).replace(/(.)\.[^.]*$/, "$1") : "";
  const isMember = node.kind === "METHOD" || node.kind === "FIELD";
  const isNested = node.kind !== "FILE" && owners.slice(0, -1).includes(stem);
  return owner && (isMember || isNested) ? `${owner}.${node.name}` : node.name || node.key;
}

function placeOf(node) {
  return node.span ? `${node.span.path}:${node.span.first}` : "";
}

function addressOf(node) {
  if (!node.span) return "";
  const parts = node.span.path.replace(/\p{Surrogate}/gu, "\ufffd").split("/").map(encodeURIComponent);
  return looks.base + parts.join("/") + (node.kind === "FILE" ? "" : `#L${node.span.first}`);
}

// Sure edges of every kind and direction in turn, then doubtful ones: the first page holds some of each.
function listNeighbours(key) {
  const seen = new Map();
  const ranked = [];
  const edges = edgesOf.get(key).filter((edge) => isAllowed(edge) && followsDirection(edge, key));
  edges.sort((a, b) => b.confidence - a.confidence || compare(a.kind, b.kind) || compare(otherEnd(a, key), otherEnd(b, key)));
  for (const edge of edges) {
    const group = `${isSure(edge)} ${edge.source === key} ${edge.kind}`;
    const turn = seen.get(group) ?? 0;
    seen.set(group, turn + 1);
    ranked.push({ key: otherEnd(edge, key), turn, isDoubtful: !isSure(edge) });
  }
  ranked.sort((a, b) => a.isDoubtful - b.isDoubtful || a.turn - b.turn);
  return [...new Set(ranked.map((entry) => entry.key))].filter((other) => other !== key && nodes.has(other));
}

function followsDirection(edge, key) {
  return state.direction === "both" || (state.direction === "out" ? edge.source === key : edge.target === key);
}

const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

function findVisible() {
  const visible = new Set([...state.centres, ...state.revealed]);
  for (const key of visible) {
    const most = state.expanded.get(key) ?? 0;
    for (const other of listNeighbours(key).slice(0, most)) visible.add(other);
  }
  return visible;
}

function listVisibleEdges(visible) {
  return data.edges.filter(
    (edge) => isAllowed(edge) && edge.source !== edge.target && visible.has(edge.source) && visible.has(edge.target),
  );
}

const countHidden = (key, visible) => listNeighbours(key).filter((other) => !visible.has(other)).length;

function setCentre(keys) {
  state.centres = keys;
  state.expanded = new Map(keys.slice(0, 12).map((key) => [key, PAGE_OF_NEIGHBOURS]));
  state.revealed.clear();
}

// One more page of neighbours; when all are visible, collapse.
function toggle(key) {
  if (countHidden(key, findVisible()) > 0) {
    state.expanded.set(key, (state.expanded.get(key) ?? 0) + PAGE_OF_NEIGHBOURS);
  } else {
    collapse(key);
  }
}

function collapse(key) {
  state.expanded.delete(key);
  for (const other of listNeighbours(key)) state.revealed.delete(other);
}

// Show a node with the shortest way to it from the centre; false when no allowed edge leads there.
function reveal(key) {
  const before = new Map(state.centres.map((centre) => [centre, null]));
  for (const near of before.keys()) {
    for (const edge of edgesOf.get(near)) {
      const far = otherEnd(edge, near);
      if (isAllowed(edge) && nodes.has(far) && !before.has(far)) before.set(far, near);
    }
  }
  if (!before.has(key)) return false;
  for (let at = key; at !== null; at = before.get(at)) state.revealed.add(at);
  return true;
}
