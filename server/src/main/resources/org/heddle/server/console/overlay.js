// What lies above the painted fabric: what is asked for, what would change, what is pointed at.

import {
  cellAt, cells, linkBetween, linksOf, outOfSight, spacing, switchOf, xOf, yOf,
} from './layout.js';
import { faintLinks, MANY, stroke, switchWidth } from './paint.js';
import { css, state } from './state.js';

/** Lines around squares of hosts; where they are a bar, a part of it. */
function ring(c, style, width, list) {
  c.strokeStyle = style;
  c.lineWidth = width;
  for (const cell of list) {
    const i = switchOf(cell);
    const at = outOfSight(xOf(i), spacing(i)) ? null : cellAt(i, cell);
    if (at) {
      c.strokeRect(at[0] + 0.2, at[1] + 0.2, at[2] - 1.4, at[2] - 1.4);
    }
  }
}

export function drawPreview(c) {
  const { preview, shape, picture } = state;
  if (!preview) {
    return;
  }
  if (preview.links.length > MANY) {
    faintLinks(c, css('--ring'), preview.links);
  } else {
    c.setLineDash([5, 4]);
    stroke(c, css('--ring'), 2, preview.links.map((e) => [e, -2]));
    c.setLineDash([]);
  }
  ring(c, css('--ring'), 1.6, preview.cells);
  for (const [i, n] of preview.hosts) {
    const { bar } = cells(i);
    if (bar) {
      const held = shape.owners[i].reduce((a, o) => a + o[1], 0);
      c.fillStyle = css('--ring');
      c.globalAlpha = 0.6;
      c.fillRect(bar.left, bar.top + (bar.height * held) / picture.hosts[i], bar.width, (bar.height * n) / picture.hosts[i]);
      c.globalAlpha = 1;
    }
  }
}

export function drawMarks(c) {
  const { marks, shape } = state;
  if (!marks) {
    return;
  }
  c.strokeStyle = css('--mark');
  c.fillStyle = css('--mark');
  for (const guid of marks.switches) {
    const i = shape.byGuid.get(guid);
    if (i === undefined || outOfSight(xOf(i), spacing(i))) {
      continue;
    }
    const w = switchWidth(i);
    const [x, y] = [xOf(i), yOf(shape.row[i])];
    if (w < 8) {
      c.fillRect(x - Math.max(1, w / 2), y - 9, Math.max(2, w), 18);
    } else {
      c.lineWidth = 2.5;
      c.strokeRect(x - w / 2 - 3, y - 8, w + 6, 16);
    }
  }
  const of = (list) => list.flatMap((guid) => state.hosts?.byGuid.get(guid) ?? []);
  c.setLineDash([3, 2]);
  ring(c, css('--mark'), 2.4, of(marks.from));
  c.setLineDash([]);
  ring(c, css('--mark'), 3, of(marks.to));
}

/** What the selection of the page is in this picture, as a cursor. */
function selectedAt() {
  const s = state.selected;
  if (!s) {
    return null;
  }
  if (s.kind === 'host') {
    const cell = state.hosts?.byGuid.get(s.guid)?.[0];
    return cell === undefined ? null : { kind: 'cell', i: switchOf(cell), cell };
  }
  const a = state.shape.byGuid.get(s.kind === 'link' ? s.a : s.guid);
  if (a === undefined || s.kind === 'switch') {
    return a === undefined ? null : { kind: 'switch', i: a };
  }
  const b = state.shape.byGuid.get(s.b);
  const e = b === undefined ? undefined : linkBetween(a, b);
  return e === undefined ? null : { kind: 'link', e };
}

function outline(c, at, width) {
  c.strokeStyle = css('--ring');
  if (at.kind === 'link') {
    c.setLineDash(state.drained.links.has(at.e) ? [4, 4] : []);
    stroke(c, css('--ring'), width + 1, [[at.e, 0]]);
    c.setLineDash([]);
    return;
  }
  if (at.kind === 'cell') {
    ring(c, css('--ring'), width + 0.4, [at.cell]);
    return;
  }
  stroke(c, css('--ring'), 1, linksOf(at.i).map((e) => [e, 0]), 0.7);
  c.lineWidth = width;
  const w = Math.max(8, switchWidth(at.i) + 6);
  c.strokeRect(xOf(at.i) - w / 2, yOf(state.shape.row[at.i]) - 8, w, 16);
}

export function drawCursor(c) {
  const chosen = selectedAt();
  if (chosen) {
    outline(c, chosen, 2.4);
  }
  if (state.cursor) {
    outline(c, state.cursor, 1.8);
  }
}
