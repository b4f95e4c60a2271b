// What is in the picture, in words: for the line under it and for screen readers.

import { many } from './dom.js';
import { linksOf } from './layout.js';
import { state } from './state.js';

/** Numbers are the reader's own: nothing is said of others. */
const own = () => state.session.role === 'tenant';

function levelOf(i) {
  const level = state.picture.level[i];
  return level === 1 ? 'leaf' : level === 0 ? 'no part of the tree' : level === state.picture.levels ? 'root' : `level ${level}`;
}

function loadOf(list) {
  let load = 0;
  let sharing = 0;
  for (const e of list) {
    load = Math.max(load, state.picture.load[e]);
    sharing = Math.max(sharing, state.picture.sharing[e]);
  }
  return [load, sharing];
}

function switchWords(i) {
  const { picture, shape, drained } = state;
  const parts = [`${picture.names[i]} (${levelOf(i)})${picture.planes > 1 && picture.plane[i] >= 0 ? `, plane ${picture.plane[i]}` : ''}`];
  if (drained.nodes.has(picture.guids[i])) {
    parts.push('out of service');
  }
  if (picture.hosts[i]) {
    const held = shape.owners[i].reduce((a, o) => a + o[1], 0);
    parts.push(own() ? `${many(picture.hosts[i], 'host')}, ${held} yours` : `${many(picture.hosts[i], 'host')}, ${picture.hosts[i] - held} without tenant`);
    parts.push(...shape.owners[i].map(([name, n]) => `${name}: ${n}`));
  }
  const all = linksOf(i);
  const cables = all.reduce((a, e) => a + picture.links[3 * e + 2], 0);
  const [load, sharing] = loadOf(all);
  parts.push(`${many(cables, 'cable')} to switches`);
  if (load) {
    parts.push(`busiest link: ${many(load, 'pair')} of ${own() ? 'your ' : ''}hosts${own() ? '' : `, most shared: ${many(sharing, 'tenant')}`}`);
  }
  return parts;
}

function cellWords({ i, cell }) {
  const { picture, hosts } = state;
  const name = hosts?.names[cell] || hosts?.guids[cell] || 'host';
  const owner = picture.owners[cell];
  const free = own() ? 'not yours' : 'without tenant';
  const lid = hosts?.lids[cell] ? [`LID ${hosts.lids[cell]}`] : [];
  return [name, owner < 0 ? free : picture.tenants[owner].name, ...lid, `on ${picture.names[i]}`];
}

function linkWords(e) {
  const { picture } = state;
  const owners = picture.tenants.filter((t) => t.links.some((x, k) => k % 2 === 0 && x === e)).map((t) => t.name);
  return [`${picture.names[picture.links[3 * e]]} – ${picture.names[picture.links[3 * e + 1]]}`,
    many(picture.links[3 * e + 2], 'cable'),
    ...(state.drained.links.has(e) ? [`${state.drained.links.get(e)} out of service`] : []),
    ...(owners.length ? [`own link of ${owners.join(', ')}`] : []),
    !picture.load[e] ? (own() ? 'no load of yours' : 'no load')
      : `${many(picture.load[e], 'pair')} of ${own() ? 'your hosts' : `hosts, ${many(picture.sharing[e], 'tenant')}`}`];
}

/** What a cursor is on. */
export function wordsOf(at) {
  return (at.kind === 'switch' ? switchWords(at.i) : at.kind === 'cell' ? cellWords(at) : linkWords(at.e)).join(' · ');
}
