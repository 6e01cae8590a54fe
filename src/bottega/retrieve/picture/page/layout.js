// Where boxes stand and how edges run between them. Edges that pass a layer have a free track of their own there.

const NAME_COLUMN = 7.3;
const SMALL_COLUMN = 6.4;
const BOX_HEIGHT = 44;
const MOST_NAME_COLUMNS = 34;
const MOST_PLACE_COLUMNS = 40;

// Signs that take two columns of a fixed-width font: Chinese, Japanese, Korean, pictographs.
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\u{1f300}-\u{1faff}]/u;
const measure = (text) => [...text].reduce((sum, sign) => sum + (WIDE.test(sign) ? 2 : 1), 0);

function shorten(text, most) {
  if (measure(text) <= most) return text;
  const signs = [...text.slice(0, 2 * most), ...text.slice(Math.max(2 * most, text.length - 2 * most))];
  while (measure(signs.join("")) >= most) signs.splice(signs.length >> 1, 1);
  signs.splice(signs.length >> 1, 0, "…");
  return signs.join("");
}

// Cut the beginning off, as suits paths.
function shortenStart(text, most) {
  if (measure(text) <= most) return text;
  const signs = [...text.slice(-2 * most)];
  while (measure(signs.join("")) >= most) signs.shift();
  return `…${signs.join("")}`;
}

function describeBox(node) {
  const name = shorten(nameOf(node), MOST_NAME_COLUMNS);
  const kind = node.kind.toLowerCase() || "not in the index";
  const place = placeOf(node);
  const room = Math.max(MOST_PLACE_COLUMNS - measure(kind) - 3, 12);
  const small = shorten(kind, 20) + (place ? ` · ${shortenStart(place, room)}` : "");
  const width = Math.max(measure(name) * NAME_COLUMN, measure(small) * SMALL_COLUMN) + 24;
  return { name, small, width: Math.round(width) };
}

function layOut(keys, edges) {
  const boxes = new Map(keys.map((key) => [key, describeBox(nodes.get(key))]));
  const layerOf = assignLayers(keys, edges.map((edge) => [edge.source, edge.target, weigh(edge)]));
  const columns = Array.from({ length: Math.max(0, ...layerOf.values()) + 1 }, () => []);
  for (const key of keys) columns[layerOf.get(key)].push(key);
  const links = joinEdges(edges).map((link) => ({ ...link, route: findRoute(link, layerOf, columns) }));
  const segments = listSegments(links);
  const ordered = orderColumns(columns, segments);
  const centres = placeCentres(ordered, segments, boxes);
  const spans = placeColumns(ordered, segments, boxes);
  const columnOf = new Map(ordered.flatMap((column, at) => column.map((place) => [place, spans[at]])));
  for (const [key, box] of boxes) Object.assign(box, { ...columnOf.get(key), y: Math.round(centres.get(key) * 10) / 10 - BOX_HEIGHT / 2 });
  const right = placePorts(links, (route) => route, centres);
  const left = placePorts(links, (route) => [...route].reverse(), centres);
  for (const link of links) link.path = tracePath(link, columnOf, centres, right.get(link), left.get(link));
  return { boxes, links };
}

const weigh = (edge) => (edge.kind === "contains" || edge.kind === "inherits" ? 5 : isSure(edge) ? 2 : 1);

// One link for the edges of a kind and sureness between two boxes.
function joinEdges(edges) {
  const links = new Map();
  for (const edge of edges) {
    const id = JSON.stringify([edge.source, edge.target, edge.kind, isSure(edge)]);
    if (!links.has(id)) links.set(id, { source: edge.source, target: edge.target, kind: edge.kind, sure: isSure(edge), edges: [] });
    links.get(id).edges.push(edge);
  }
  return [...links.values()];
}

// A bend in each layer that the link passes; links of one kind to one target share them. A bend is an array, a box a key.
function findRoute(link, layerOf, columns) {
  const [first, last] = layerOf.get(link.source) < layerOf.get(link.target) ? [link.source, link.target] : [link.target, link.source];
  const route = [first];
  for (let layer = layerOf.get(first) + 1; layer < layerOf.get(last); layer += 1) {
    const id = JSON.stringify([link.target, link.kind, link.sure, first === link.source]);
    let bend = columns[layer].find((place) => Array.isArray(place) && place[0] === id);
    if (!bend) {
      bend = [id, layer];
      columns[layer].push(bend);
    }
    route.push(bend);
  }
  return [...route, last];
}

function listSegments(links) {
  const after = new Map();
  const segments = [];
  for (const { route } of links) {
    for (let at = 0; at + 1 < route.length; at += 1) {
      if (!after.has(route[at])) after.set(route[at], new Set());
      if (after.get(route[at]).has(route[at + 1])) continue;
      after.get(route[at]).add(route[at + 1]);
      segments.push([route[at], route[at + 1]]);
    }
  }
  return segments;
}

function placeCentres(columns, segments, boxes) {
  const pulls = new Map();
  for (const [a, b] of segments) {
    const weight = [1, 3, 10][Array.isArray(a) + Array.isArray(b)];
    pulls.set(a, [...(pulls.get(a) ?? []), [b, weight]]);
    pulls.set(b, [...(pulls.get(b) ?? []), [a, weight]]);
  }
  const layerOf = new Map(columns.flatMap((column, at) => column.map((place) => [place, at])));
  const centres = new Map();
  for (const column of columns) stack(column, () => [0, 1], boxes, centres);
  for (let turn = 0; turn < 16; turn += 1) {
    const side = turn >= 14 ? 0 : turn % 2 ? 1 : -1;
    const wanted = (place) => {
      const ends = (pulls.get(place) ?? []).filter(([other]) => !side || layerOf.get(other) - layerOf.get(place) === side);
      const total = ends.reduce((sum, [, weight]) => sum + weight, 0);
      return total ? [ends.reduce((sum, [other, weight]) => sum + centres.get(other) * weight, 0) / total, total] : [centres.get(place), 0.01];
    };
    for (const column of side > 0 ? [...columns].reverse() : columns) stack(column, wanted, boxes, centres);
  }
  return centres;
}

// Centres closest to those wanted that keep order and distance: isotonic regression by pooling neighbours.
function stack(column, wanted, boxes, centres) {
  const height = (place) => (boxes.has(place) ? BOX_HEIGHT : 0);
  const offsets = [];
  const pools = [];
  column.forEach((place, at) => {
    const above = column[at - 1];
    const gap = at ? (boxes.has(above) ? 14 : 8) + (height(above) + height(place)) / 2 : 0;
    offsets.push((offsets.at(-1) ?? 0) + gap);
    const [mean, weight] = wanted(place);
    pools.push([mean - offsets.at(-1), weight, 1]);
    while (pools.length > 1 && pools.at(-2)[0] > pools.at(-1)[0]) {
      const below = pools.pop();
      const over = pools.pop();
      const total = over[1] + below[1];
      pools.push([(over[0] * over[1] + below[0] * below[1]) / total, total, over[2] + below[2]]);
    }
  });
  const shifts = pools.flatMap(([mean, , size]) => Array(size).fill(mean));
  column.forEach((place, at) => centres.set(place, offsets[at] + shifts[at]));
}

function placeColumns(columns, segments, boxes) {
  const layerOf = new Map(columns.flatMap((column, at) => column.map((place) => [place, at])));
  const counts = columns.map(() => 0);
  for (const [a] of segments) counts[layerOf.get(a)] += 1;
  let x = 0;
  return columns.map((column, at) => {
    const width = Math.max(...column.map((place) => boxes.get(place)?.width ?? 0));
    const span = { x, width };
    x += width + Math.min(190, 64 + 3 * counts[at]);
    return span;
  });
}

// Links of one look meet a box at one height.
function placePorts(links, turn, centres) {
  const groups = new Map();
  for (const link of links) {
    const route = turn(link.route);
    const look = JSON.stringify([link.kind, link.sure, route[0] === link.source]);
    if (!groups.has(route[0])) groups.set(route[0], new Map());
    const group = groups.get(route[0]);
    group.set(look, [...(group.get(look) ?? []), [link, centres.get(route[1])]]);
  }
  const ports = new Map();
  for (const [box, group] of groups) {
    const mean = (entries) => entries.reduce((sum, [, y]) => sum + y, 0) / entries.length;
    const order = [...group.values()].sort((a, b) => mean(a) - mean(b));
    const distance = Math.min(9, (BOX_HEIGHT - 10) / order.length);
    order.forEach((entries, at) => {
      for (const [link] of entries) ports.set(link, centres.get(box) + (at - (order.length - 1) / 2) * distance);
    });
  }
  return ports;
}

function tracePath(link, columnOf, centres, y1, y2) {
  const { route } = link;
  const first = columnOf.get(route[0]);
  const points = [[first.x + first.width, y1]];
  for (const bend of route.slice(1, -1)) {
    const { x, width } = columnOf.get(bend);
    points.push([x, centres.get(bend)], [x + width, centres.get(bend)]);
  }
  points.push([columnOf.get(route.at(-1)).x, y2]);
  const steps = [`M ${points[0].join(" ")}`];
  for (let at = 1; at < points.length; at += 1) {
    const [[xa, ya], [xb, yb]] = [points[at - 1], points[at]];
    const middle = (xa + xb) / 2;
    steps.push(at % 2 ? `C ${middle} ${ya} ${middle} ${yb} ${xb} ${yb}` : `L ${xb} ${yb}`);
  }
  return steps.join(" ");
}
