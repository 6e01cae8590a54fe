// Layers from left to right, users left of what they use, and the order inside each layer.

function assignLayers(keys, pairs) {
  const rank = new Map(breakCycles(keys, pairs).map((key, at) => [key, at]));
  const before = new Map(keys.map((key) => [key, new Set()]));
  const after = new Map(keys.map((key) => [key, new Set()]));
  for (const [a, b] of pairs) {
    const [first, last] = rank.get(a) < rank.get(b) ? [a, b] : [b, a];
    before.get(last).add(first);
    after.get(first).add(last);
  }
  const layers = new Map();
  for (const key of [...keys].sort((a, b) => rank.get(a) - rank.get(b))) {
    layers.set(key, Math.max(0, ...[...before.get(key)].map((other) => layers.get(other) + 1)));
  }
  for (let round = 0; round < 8; round += 1) {
    for (const key of [...keys].sort((a, b) => layers.get(b) - layers.get(a))) {
      layers.set(key, shortenLinks(key, layers, before, after));
    }
  }
  const used = [...new Set(layers.values())].sort((a, b) => a - b);
  return new Map([...layers].map(([key, layer]) => [key, used.indexOf(layer)]));
}

// An order with few links that point backwards (Eades, Lin and Smyth).
function breakCycles(keys, pairs) {
  const waiting = new Set(keys);
  const left = [];
  const right = [];
  const out = new Map(keys.map((key) => [key, new Map()]));
  const into = new Map(keys.map((key) => [key, new Map()]));
  for (const [a, b, weight] of pairs) {
    out.get(a).set(b, (out.get(a).get(b) ?? 0) + weight);
    into.get(b).set(a, (into.get(b).get(a) ?? 0) + weight);
  }
  const sum = (weights) => [...weights.values()].reduce((total, weight) => total + weight, 0);
  while (waiting.size) {
    let best = null;
    let bestRank = null;
    for (const key of waiting) {
      const rank = [out.get(key).size > 0, into.get(key).size > 0, sum(into.get(key)) - sum(out.get(key))];
      if (best === null || compareLists(rank, bestRank) < 0) [best, bestRank] = [key, rank];
    }
    (out.get(best).size || !into.get(best).size ? left : right).push(best);
    waiting.delete(best);
    for (const other of out.get(best).keys()) into.get(other).delete(best);
    for (const other of into.get(best).keys()) out.get(other).delete(best);
  }
  return [...left, ...right.reverse()];
}

function compareLists(a, b) {
  for (let at = 0; at < a.length; at += 1) {
    if (a[at] !== b[at]) return a[at] - b[at];
  }
  return 0;
}

function shortenLinks(key, layers, before, after) {
  const least = [...before.get(key)].map((other) => layers.get(other) + 1);
  const most = [...after.get(key)].map((other) => layers.get(other) - 1);
  const wanted = [...least, ...most].sort((a, b) => a - b);
  if (!wanted.length) return layers.get(key);
  const middle = wanted[wanted.length >> 1];
  return Math.max(least.length ? Math.max(...least) : wanted[0], Math.min(middle, ...most));
}

// Sweeps that move each place to the mean of its neighbours; the order with the fewest crossings wins.
function orderColumns(columns, segments) {
  const left = new Map();
  const right = new Map();
  for (const [a, b] of segments) {
    right.set(a, [...(right.get(a) ?? []), b]);
    left.set(b, [...(left.get(b) ?? []), a]);
  }
  let best = columns.map((column) => [...column]);
  let fewest = countCrossings(columns, right);
  for (let sweep = 0; sweep < 20; sweep += 1) {
    const goesRight = sweep % 2 === 0;
    const order = [...columns.keys()];
    for (const at of goesRight ? order.slice(1) : order.slice(0, -1).reverse()) {
      sortColumn(columns[at], columns[goesRight ? at - 1 : at + 1], goesRight ? left : right);
    }
    const crossings = countCrossings(columns, right);
    if (crossings < fewest) [best, fewest] = [columns.map((column) => [...column]), crossings];
  }
  return best;
}

function sortColumn(column, fixed, neighbours) {
  const spread = (list) => new Map(list.map((place, at) => [place, at / Math.max(list.length - 1, 1)]));
  const places = spread(fixed);
  const own = spread(column);
  const mean = new Map(
    column.map((place) => {
      const ends = (neighbours.get(place) ?? []).map((other) => places.get(other));
      return [place, ends.length ? ends.reduce((a, b) => a + b, 0) / ends.length : own.get(place)];
    }),
  );
  column.sort((a, b) => mean.get(a) - mean.get(b) || own.get(a) - own.get(b));
}

function countCrossings(columns, right) {
  let crossings = 0;
  for (let at = 0; at + 1 < columns.length; at += 1) {
    const places = new Map(columns[at + 1].map((place, row) => [place, row]));
    const ends = [];
    for (const place of columns[at]) {
      const targets = (right.get(place) ?? []).map((other) => places.get(other));
      for (const target of targets) crossings += ends.filter((end) => end > target).length;
      ends.push(...targets);
    }
  }
  return crossings;
}
