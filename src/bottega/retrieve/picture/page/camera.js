// Pan and zoom: pointer, wheel, two fingers, keys.

const world = document.getElementById("world");
const camera = { x: 0, y: 0, zoom: 1 };
const pointers = new Map();
const LEAST_ZOOM = 0.08;
const MOST_ZOOM = 3;
let wasDragged = false;

function applyCamera() {
  world.setAttribute("transform", `translate(${camera.x} ${camera.y}) scale(${camera.zoom})`);
}

function zoomAt(factor, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) {
  const zoom = Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, camera.zoom * factor));
  camera.x = x - ((x - camera.x) * zoom) / camera.zoom;
  camera.y = y - ((y - camera.y) * zoom) / camera.zoom;
  camera.zoom = zoom;
  applyCamera();
}

// Everything, or as much around the focus as can be read.
function fit(leastZoom = 0.02) {
  const bounds = world.getBBox();
  if (!bounds.width) return;
  const margin = 40;
  const whole = Math.min((canvas.clientWidth - margin) / bounds.width, (canvas.clientHeight - margin) / bounds.height, 1.1);
  camera.zoom = Math.max(whole, leastZoom);
  camera.x = canvas.clientWidth / 2 - (bounds.x + bounds.width / 2) * camera.zoom;
  camera.y = canvas.clientHeight / 2 - (bounds.y + bounds.height / 2) * camera.zoom;
  applyCamera();
}

function centreOn(key) {
  const group = elements.get(key);
  if (!group) return;
  const at = centreOf(group);
  camera.x = canvas.clientWidth / 2 - at.x * camera.zoom;
  camera.y = canvas.clientHeight / 2 - at.y * camera.zoom;
  applyCamera();
}

// Move the view only as far as needed to show a box.
function scrollTo(key) {
  const group = elements.get(key);
  if (!group) return;
  const at = centreOf(group);
  const [x, y] = [at.x * camera.zoom + camera.x, at.y * camera.zoom + camera.y];
  const room = (size) => Math.min(140, size / 3);
  camera.x += Math.max(0, room(canvas.clientWidth) - x) - Math.max(0, x - canvas.clientWidth + room(canvas.clientWidth));
  camera.y += Math.max(0, 50 - y) - Math.max(0, y - canvas.clientHeight + 50);
  applyCamera();
}

canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  const box = canvas.getBoundingClientRect();
  const step = event.deltaMode === 1 ? event.deltaY * 16 : event.deltaY;
  zoomAt(Math.exp(-Math.max(-200, Math.min(200, step)) / 500), event.clientX - box.left, event.clientY - box.top);
}, { passive: false });

canvas.addEventListener("pointerdown", (event) => {
  if (!pointers.size) wasDragged = false;
  pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
});

canvas.addEventListener("pointermove", (event) => {
  const last = pointers.get(event.pointerId);
  if (!last) return;
  const [dx, dy] = [event.clientX - last.x, event.clientY - last.y];
  if (!wasDragged && Math.hypot(dx, dy) < 4) return;
  if (!wasDragged) canvas.setPointerCapture(event.pointerId);
  wasDragged = true;
  const others = [...pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
  if (others.length) pinch(last, event, others[0]);
  else Object.assign(camera, { x: camera.x + dx, y: camera.y + dy });
  pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  applyCamera();
});

function pinch(last, event, other) {
  const box = canvas.getBoundingClientRect();
  const before = Math.hypot(last.x - other.x, last.y - other.y);
  const after = Math.hypot(event.clientX - other.x, event.clientY - other.y);
  if (before > 0) zoomAt(after / before, (event.clientX + other.x) / 2 - box.left, (event.clientY + other.y) / 2 - box.top);
}

for (const end of ["pointerup", "pointercancel"]) {
  canvas.addEventListener(end, (event) => pointers.delete(event.pointerId));
}
