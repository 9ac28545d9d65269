/**
 * Breadcrumbs of an error: a ring buffer in this page's memory, attached to each reported error and stored nowhere
 * else. It contains only fixed words, so it reveals nothing about a person: routes and addresses without parameters,
 * labels that are messages of the catalogue, roles, states, numbers.
 */

import { labels, segments } from 'virtual:safe-words';
import type { AnyRouter } from '@tanstack/react-router';
import { BREADCRUMBS_MAX } from '../../../server/contract/limits.ts';
import { onDelivered, onOutbox, outboxNow } from '../../lib/device.ts';
import { ageOf, calls } from '../../lib/http.ts';
import { bringTrail } from '../../lib/logs.ts';
import { onUpdateReady } from '../../lib/service-worker.ts';

type Crumb = { at: number; kind: string; data: Record<string, string | number | boolean> };
const ring: Crumb[] = [];
function leave(kind: string, data: Crumb['data'] = {}): void {
  ring.push({ at: Date.now(), kind, data });
  if (ring.length > BREADCRUMBS_MAX) ring.shift();
}

const LABELS: ReadonlySet<string> = new Set(labels.split('\n'));
const SEGMENTS: ReadonlySet<string> = new Set(segments.split('/'));
/** An API address with `:id` for every segment outside the contract. */
const templateOf = (url: string): string =>
  new URL(url, location.origin).pathname
    .split('/')
    .map((part) => (part === '' || SEGMENTS.has(part) ? part : ':id'))
    .join('/');

/** The open page's route pattern, as the operators' screens write it: `/community/{communityId}`. */
function routeOf({ matches }: Router['state']): string {
  const route = String(matches.at(-1)?.fullPath ?? '/').replace(/\/$/, '');
  return route.replace(/\$(\w+)/g, '{$1}') || '/';
}

type Router = Pick<AnyRouter, 'subscribe' | 'state'>;
/** Starts recording. Call once. */
export function leaveCrumbs(router: Router): void {
  bringTrail(() => ring);
  const arrived = () => leave('navigate', { to: routeOf(router.state) });
  arrived();
  router.subscribe('onResolved', ({ pathChanged }) => pathChanged && arrived());
  // In the capture phase, because a handler may stop the event or throw.
  addEventListener('click', ({ target }) => target instanceof Element && pressed(target), true);
  calls.onAnswer = called;
  for (const kind of ['offline', 'online']) addEventListener(kind, () => leave(kind));
  onUpdateReady(() => leave('update'));
  followOutbox();
}

function called(method: string, url: string, sentAt: number, answer?: Response): void {
  const status = answer?.status ?? 0;
  const data = { method, to: templateOf(url), status, ms: Date.now() - sentAt };
  leave('call', answer && ageOf(answer) !== null ? { ...data, copy: true } : data);
}

const CONTROL =
  'a[href],button,summary,input,select,textarea,[role=button],[role=tab],[role=menuitem],[role=option],[role=radio],[role=checkbox],[role=switch],[role=slider]';
/** Chosen or typed values are personal, even if they equal one of our words. */
const ANSWER =
  'input,select,textarea,[aria-pressed],[aria-checked],[role=option],[role=radio],[role=checkbox],[role=switch],[role=slider],[contenteditable]';
/**
 * Controls whose label comes from our components. Cards, rows and members' links contain people's text: a task may be
 * called "Try again".
 */
const LABELLED = '.button,.icon-button,.side-bar__place,.tab-bar a';
const REGIONS = 'dialog,[role=dialog],nav,header,footer,aside,form,main';

function pressed(target: Element): void {
  const control = target.closest(CONTROL);
  if (!control) return;
  const label = control.matches(LABELLED) && !control.matches(ANSWER) ? labelOf(control) : null;
  const role = roleOf(control);
  const region = label === null ? control.closest(REGIONS) : null;
  leave('press', {
    role,
    ...(label !== null && { name: label }),
    ...(region && { place: region.matches('[role=dialog]') ? 'dialog' : region.localName }),
  });
}

const ROLES: Record<string, string> = { a: 'link', summary: 'button', select: 'listbox', textarea: 'textbox' };
function roleOf(control: Element): string {
  const role = control.getAttribute('role');
  // A role that our rules did not ask for could be any text.
  if (role && CONTROL.includes(`[role=${role}]`)) return role;
  if (control instanceof HTMLInputElement) return control.type;
  return ROLES[control.localName] ?? control.localName;
}

/** The texts of a control to check: its label, its disabled reason, its key. */
const TEXTS_READ = 4;
/** A control's name, or the first text in it, that exactly equals a message of the catalogue. */
function labelOf(control: Element): string | null {
  const isLabel = (text: string) => LABELS.has(text);
  const named = control.getAttribute('aria-label')?.trim();
  if (named && isLabel(named)) return named;
  const texts = document.createTreeWalker(control, NodeFilter.SHOW_TEXT);
  for (let read = 0; read < TEXTS_READ && texts.nextNode(); read += 1) {
    const text = texts.currentNode.nodeValue?.trim() ?? '';
    if (isLabel(text)) return text;
  }
  return null;
}

/** Records when a command is stored, sent, refused, delivered or undone: by its route, without its content. */
function followOutbox(): void {
  let previous = new Map<string, { what: string; now: string }>();
  onDelivered(({ entry, status }) => {
    previous.delete(entry.id);
    leave('outbox', { what: commandName(entry), now: 'delivered', status });
  });
  onOutbox(() => {
    const before = previous;
    previous = new Map(outboxNow().map((entry) => [entry.id, { what: commandName(entry), now: entry.state }]));
    for (const [id, { what, now }] of previous) if (before.get(id)?.now !== now) leave('outbox', { what, now });
    for (const [id, { what }] of before) if (!previous.has(id)) leave('outbox', { what, now: 'gone' });
  });
}
const commandName = ({ method, path }: { method: string; path: string }): string => `${method} ${templateOf(path)}`;
