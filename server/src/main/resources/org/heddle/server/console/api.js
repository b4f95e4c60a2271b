// The interface: sends requests, asks for credentials, and knows whether anybody answers.

import { $, pause } from './dom.js';
import { tell } from './state.js';

const PATIENCE = 60000; // of one request
const AGAIN = 120000; // so long a change without an answer is asked for again

let credentials = sessionStorage.getItem('heddle-credentials') ?? '';

export const hasCredentials = () => Boolean(credentials);

/** Nobody has answered, or one who cannot. */
export class Lost extends Error {}

export const connection = { since: 0, why: '' };

function lost(why) {
  connection.since ||= Date.now();
  connection.why = why;
  tell('lost');
}

function found() {
  const was = connection.since;
  connection.since = 0;
  if (was) {
    tell('found');
  }
}

/** The headers that say who asks. */
export function headersOf(more = {}) {
  return credentials ? { ...more, Authorization: credentials } : more;
}

async function once(method, path, body, more, patience) {
  const headers = headersOf({ Accept: 'application/json', ...more });
  if (body !== undefined) {
    headers['Content-Type'] = 'application/json';
  }
  const text = body === undefined ? undefined : JSON.stringify(body);
  let answer;
  try {
    answer = await fetch(path, { method, headers, body: text, signal: AbortSignal.timeout(patience) });
    const said = await answer.text();
    let data = {};
    try {
      data = said ? JSON.parse(said) : {};
    } catch {
      data = { title: 'no-document', detail: `status ${answer.status}, and no document of the controller` };
    }
    const get = (name) => answer.headers.get(name);
    return { ok: answer.ok, status: answer.status, etag: get('ETag'), location: get('Location'), retry: get('Retry-After'), data };
  } catch (e) {
    const why = e.name === 'TimeoutError' ? 'no answer in time' : 'no answer';
    lost(why);
    throw new Lost(why);
  }
}

/** A process that stands by, or a proxy without anybody behind it: somebody else may answer soon. */
function isElsewhere(answer) {
  return answer.data.title === 'standby' || (answer.status >= 502 && answer.data.title === 'no-document');
}

/**
 * Sends a request; the answer's status and document, of a refusal as well. Too many requests: it
 * waits as long as it is told. Nobody there: it fails with Lost, and the page says so.
 */
export async function call(method, path, body, more = {}, patience = PATIENCE) {
  for (let tries = 0; ; tries++) {
    const answer = await once(method, path, body, more, patience);
    if (answer.status === 401) {
      await login(credentials ? 'That is not known here.' : '');
      continue;
    }
    if (answer.status === 429 && tries < 8) {
      const seconds = Math.min(20, Math.max(1, Number(answer.retry) || 1));
      tell('slow', seconds);
      await pause(1000 * seconds);
      continue;
    }
    if (isElsewhere(answer)) {
      lost(answer.data.detail ?? 'nobody leads');
      throw new Lost(answer.data.detail);
    }
    tell('slow', 0);
    found();
    return answer;
  }
}

function freshKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, '0')).join('');
}

/**
 * Asks for a change. Without an answer it asks again under the same key, so that it is done once;
 * where the controller makes it a job, it waits until that is decided.
 */
export async function change(method, path, body, more = {}) {
  const headers = { ...more, 'Idempotency-Key': freshKey(), Prefer: 'respond-async' };
  const began = Date.now();
  for (let wait = 500; ; wait = Math.min(5000, 2 * wait)) {
    try {
      const answer = await call(method, path, body, headers);
      return answer.status === 202 ? await decided(answer) : answer;
    } catch (e) {
      if (!(e instanceof Lost) || Date.now() - began > AGAIN) {
        throw e;
      }
      await pause(wait);
    }
  }
}

/** Waits for a job to be decided; the answer that the request would have had. */
async function decided(answer) {
  const path = answer.location ?? `/v1/jobs/${answer.data.id}`;
  tell('job');
  for (let wait = 60; ; wait = Math.min(1000, 2 * wait)) {
    const got = await call('GET', path);
    const job = got.data;
    if (!got.ok) {
      return got;
    }
    if (job.state === 'failed' || job.state === 'cancelled') {
      const problem = job.problem ?? { title: job.state, detail: 'it was cancelled before it was decided' };
      return { ok: false, status: problem.status ?? 409, data: problem };
    }
    if (['applying', 'done', 'written'].includes(job.state)) {
      const result = job.kind === 'plan' && job.result ? (await call('GET', job.result)).data : {};
      return { ok: true, status: 200, etag: null, data: { outcome: 'accepted', epoch: job.epoch, ...result } };
    }
    tell('progress', job);
    await pause(wait);
  }
}

/** All pages of a list after a place, or the first few; null if there is no such list. */
export async function pages(path, most = 20, begin = '') {
  const out = [];
  let after = begin;
  for (let i = 0; i < most; i++) {
    const sign = path.includes('?') ? '&' : '?';
    const got = await call('GET', `${path}${sign}limit=1000${after ? `&after=${encodeURIComponent(after)}` : ''}`);
    if (!got.ok) {
      return i ? out : null;
    }
    out.push(...got.data.items);
    if (got.data.items.length < 1000 || !got.data.next) {
      break;
    }
    after = got.data.next;
  }
  return out;
}

let loggingIn = null;

/** Asks for credentials; one dialog for all that wait. */
function login(why) {
  loggingIn ??= new Promise((resolve) => {
    $('login-why').textContent = why;
    $('login').showModal();
    $('login').oncancel = (e) => e.preventDefault();
    $('login-form').onsubmit = () => {
      const user = new TextEncoder().encode(`${$('user').value}:${$('password').value}`);
      credentials = $('token').value
        ? `Bearer ${$('token').value.trim()}`
        : `Basic ${btoa(String.fromCharCode(...user))}`;
      sessionStorage.setItem('heddle-credentials', credentials);
      $('login-form').reset();
      loggingIn = null;
      resolve();
      tell('login');
    };
  });
  return loggingIn;
}

export function logout() {
  sessionStorage.clear(); // with the plan that was being drawn up
  location.reload();
}
