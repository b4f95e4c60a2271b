// Jobs under way, with their progress; those that ended while somebody looked.

import { call, Lost } from './api.js';
import { $, button, element, keyed, many } from './dom.js';
import { can, on, tell } from './state.js';

const ENDED = 5; // so many that ended stay in sight
const UNDER_WAY = ['queued', 'running', 'applying'];
const WORDS = { queued: 'waits', running: 'is tried', applying: 'is written into the fabric' };

const jobs = new Map();
let ended = [];
let timer = 0;

const there = () => can.call('GET', '/v1/jobs');

async function read() {
  if (!there()) {
    return;
  }
  const seen = new Map();
  for (const state of UNDER_WAY) {
    const got = await call('GET', `/v1/jobs?state=${state}&limit=100`);
    for (const job of got.ok ? got.data.items : []) {
      seen.set(job.id, job);
    }
  }
  for (const id of jobs.keys()) {
    if (!seen.has(id)) {
      const got = await call('GET', `/v1/jobs/${encodeURIComponent(id)}`);
      if (got.ok) {
        ended = [got.data, ...ended.filter((j) => j.id !== id)].slice(0, ENDED);
      }
    }
  }
  const fewer = seen.size < jobs.size;
  jobs.clear();
  seen.forEach((job, id) => jobs.set(id, job));
  list();
  if (fewer) {
    tell('changed');
  }
}

function list() {
  const shown = [...jobs.values(), ...ended.filter((j) => !jobs.has(j.id))];
  keyed($('jobs'), shown.map((j) => ({
    key: String(j.id),
    sig: JSON.stringify([j.state, j.progress, j.problem?.detail]),
    make: () => row(j),
  })));
  $('no-jobs').hidden = shown.length > 0;
  $('busy').hidden = jobs.size === 0;
  $('busy').textContent = many(jobs.size, 'job');
}

function row(j) {
  const p = j.progress ?? {};
  const bar = element('progress', { ariaLabel: `Progress of job ${j.id}` });
  if (p.total > 0) {
    bar.max = p.total;
    bar.value = p.done ?? 0;
  }
  const under = UNDER_WAY.includes(j.state);
  const words = under ? `${WORDS[j.state]}${p.total ? `: ${p.done ?? 0} of ${p.total}${p.what ? ` ${p.what}` : ''}` : ''}`
    : j.state === 'failed' ? `failed: ${j.problem?.detail ?? ''}` : `${j.state}${j.epoch ? `, epoch ${j.epoch}` : ''}`;
  const plan = /\/plans\/(\d+)$/.exec(j.result ?? '')?.[1];
  const cancel = j.state === 'queued' && can.change() && can.call('DELETE', '/v1/jobs/{id}')
    ? button('cancel', 'Cancel', () => call('DELETE', `/v1/jobs/${encodeURIComponent(j.id)}`).then(soon), { ariaLabel: `Cancel job ${j.id}` }) : null;
  return element('li', {}, element('span', { className: 'who' }, `${j.kind} ${j.subject || (plan ?? '')}`,
    element('span', { className: j.state === 'failed' ? 'what bad-kind' : 'what' }, `${words}${j.actor ? ` · ${j.actor}` : ''}`),
    under ? bar : null), cancel);
}

function soon(millis = 0) {
  clearTimeout(timer);
  timer = setTimeout(async () => {
    try {
      await read();
    } catch (e) {
      if (!(e instanceof Lost)) {
        throw e;
      }
    }
    if (jobs.size && !document.hidden) {
      soon(1000);
    }
  }, millis);
}

on('job', () => soon(0));
on('picture', () => soon(200));
on('calls', () => {
  $('jobs-part').hidden = !there();
  soon(0);
});
document.addEventListener('visibilitychange', () => soon(0));
$('busy').onclick = () => {
  tell('tab', 'activity');
  $('jobs-title').focus();
};
