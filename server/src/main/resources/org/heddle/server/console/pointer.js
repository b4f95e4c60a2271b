// Mouse and fingers in the picture: pointing, selecting, moving and zooming.

import { cursor, point, select } from './cursor.js';
import { $ } from './dom.js';
import { under, view, zoomAt } from './layout.js';
import { state, tell } from './state.js';

const canvas = $('picture');
const NARROW = 900; // where the page scrolls: the wheel zooms with Ctrl only

let drag = null;
const fingers = new Map(); // by pointer: where it is

function zoom(x, factor) {
  if (state.picture) {
    zoomAt(x, factor);
    tell('view');
  }
}

export function showAll() {
  if (state.picture) {
    view.zoom = 1;
    view.pan = 0;
    tell('view');
  }
}

canvas.addEventListener('wheel', (e) => {
  if (state.picture && (e.ctrlKey || innerWidth > NARROW)) {
    e.preventDefault();
    zoom(e.offsetX, Math.exp(-e.deltaY / 400));
  }
}, { passive: false });

canvas.addEventListener('pointerdown', (e) => {
  fingers.set(e.pointerId, e.offsetX);
  drag = { x: e.clientX, pan: view.pan, moved: fingers.size > 1 };
  canvas.setPointerCapture(e.pointerId);
});

/** Two fingers: what is between them stays there. */
function pinch(e) {
  const [id] = [...fingers.keys()].filter((k) => k !== e.pointerId);
  const other = fingers.get(id);
  const before = Math.abs(fingers.get(e.pointerId) - other);
  fingers.set(e.pointerId, e.offsetX);
  drag.moved = true;
  zoom((e.offsetX + other) / 2, Math.max(10, Math.abs(e.offsetX - other)) / Math.max(10, before));
}

canvas.addEventListener('pointermove', (e) => {
  if (!state.picture) {
    return;
  }
  if (drag && fingers.size > 1) {
    pinch(e);
    return;
  }
  if (drag) {
    drag.moved ||= Math.abs(e.clientX - drag.x) > 4;
    if (drag.moved) {
      view.pan = drag.pan - (e.clientX - drag.x);
      tell('view');
    }
    return;
  }
  cursor.byKeys = false;
  const to = under(e.offsetX, e.offsetY);
  if (JSON.stringify(to) !== JSON.stringify(state.cursor)) {
    point(to);
  }
});

function ended(e) {
  fingers.delete(e.pointerId);
  // the finger that stays drags on from where it is, and is no click
  const [x] = fingers.values();
  drag = x === undefined ? null : { x: x + canvas.getBoundingClientRect().left, pan: view.pan, moved: true };
}

canvas.addEventListener('pointerup', (e) => {
  if (drag && !drag.moved && state.picture) {
    const to = under(e.offsetX, e.offsetY);
    point(to);
    select(to);
  }
  ended(e);
});
canvas.addEventListener('pointercancel', ended);
canvas.addEventListener('pointerleave', () => {
  if (state.picture && !cursor.byKeys) {
    point(null);
  }
});
$('in').onclick = () => zoom(view.width / 2, 1.5);
$('out').onclick = () => zoom(view.width / 2, 1 / 1.5);
$('whole').onclick = showAll;
