// The panel about one node: what it is, and every edge of it with how it was resolved.

const panel = document.getElementById("details");
const MOST_ROWS = 40;

function create(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

function showDetails(key, visible) {
  const node = nodes.get(key);
  panel.hidden = !node;
  if (!node) return;
  const hidden = countHidden(key, visible);
  panel.replaceChildren(
    create("button", { class: "close", type: "button", "aria-label": "Close the details", click: () => select(null) }, "×"),
    create("h2", {}, nameOf(node)),
    create("p", { class: "kind" }, node.kind.toLowerCase() || "not in the index", ...listPlace(node)),
    ...(node.signature ? [create("pre", {}, node.signature)] : []),
    create("p", { class: "key" }, node.key),
    listActions(key, hidden),
    ...listRemarks(node),
    ...listEdges("Used by", key, (edge) => edge.target === key, visible),
    ...listEdges("Uses", key, (edge) => edge.source === key, visible),
  );
  panel.scrollTop = 0;
}

function listPlace(node) {
  const place = placeOf(node);
  return place ? [" · ", create("a", { href: addressOf(node) }, place)] : [];
}

function listActions(key, hidden) {
  const isExpanded = state.expanded.has(key);
  const more = hidden ? [create("button", { type: "button", click: () => change(() => toggle(key), key) }, `Expand ${Math.min(hidden, PAGE_OF_NEIGHBOURS)} of ${hidden}`)] : [];
  const fewer = isExpanded ? [create("button", { type: "button", click: () => change(() => collapse(key), key) }, "Collapse")] : [];
  const centre = create("button", { type: "button", click: () => focusOn(key) }, "Make centre");
  return create("p", { class: "actions" }, ...more, ...fewer, centre);
}

function listRemarks(node) {
  if (node.left_out === null) return [create("p", { class: "remark" }, "The walk ended here: it may have neighbours that this page does not hold.")];
  if (node.left_out) return [create("p", { class: "remark" }, `${node.left_out} neighbours are not in this page: --nodes left them out.`)];
  return [];
}

function listEdges(heading, key, isWanted, visible) {
  const edges = edgesOf.get(key).filter((edge) => isWanted(edge) && nodes.has(otherEnd(edge, key)));
  if (!edges.length) return [];
  edges.sort((a, b) => compare(a.kind, b.kind) || b.confidence - a.confidence || compare(otherEnd(a, key), otherEnd(b, key)));
  const list = create("ul", {}, ...edges.slice(0, MOST_ROWS).map((edge) => listEdge(edge, key, visible)));
  const rest = edges.slice(MOST_ROWS);
  const button = create("button", { type: "button", click: () => {
    list.append(...rest.map((edge) => listEdge(edge, key, visible)));
    button.remove();
  } }, `Show ${rest.length} more`);
  return [create("h3", {}, `${heading} (${edges.length})`), list, ...(rest.length ? [button] : [])];
}

function listEdge(edge, key, visible) {
  const other = nodes.get(otherEnd(edge, key));
  const name = edgeClass(edge.kind);
  const sure = isSure(edge) ? "" : " · not sure";
  const row = create("li", { class: visible.has(other.key) ? "" : "absent" },
    create("span", { class: `chip ${name}` }, edge.kind),
    create("button", { type: "button", class: "link", title: other.key, click: () => goTo(other.key) }, nameOf(other)),
    create("small", {}, ` ${placeOf(other)}`),
    create("small", { class: isSure(edge) ? "how" : "how doubtful" }, `${edge.how}, ${Math.round(edge.confidence * 100)} %${sure}`),
  );
  return row;
}
