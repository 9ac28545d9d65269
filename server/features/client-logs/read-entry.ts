import { createHash } from 'node:crypto';
import type { LogKind } from '../../contract/logs.ts';
import { lru } from '../../domain/lru.ts';
import { correctedTime, deviceTime, type Sender } from './entry.ts';
import type { Grouper, Grouping } from './group.ts';
import { offlineOf, placeOf, saidIn, type Traits, traitsOf } from './traits.ts';

type InboxRow = { id: string; receivedAt: Date; sender: string; entry: string };
/** What reading asks: whether a device's word for its release names one of ours, and the groups of an error. */
export type ReadPorts = { isRelease: (name: string) => boolean; group: (entry: Parameters<Grouper>[0]) => Grouping };

/**
 * An entry with everything that lists, filters and rollups read of it, and no more: a thousand of them live until their batch
 * is written, and with their stacks they would fill what V8 keeps for young objects.
 */
export type ReadEntry = Traits & {
  id: string;
  kind: LogKind;
  receivedAt: Date;
  happenedAt: Date;
  sentAt: Date | null;
  message: string;
  source: string | null;
  route: string | null;
  community: string | null;
  url: string | null;
  release: string | null;
  userId: string | null;
  /** Member, else device, else network and browser: what people are counted by. */
  person: string;
  device: string | null;
  sequence: number | null;
  repeats: number;
  offlineMs: number | null;
  address: string | null;
  userAgent: string | null;
  /** Of errors. */
  by: Grouping | null;
  /** Null until it was placed, and of debug entries ever. */
  groupId: number | null;
};

const MESSAGE_MAX = 1_000;
const REPEATS_MAX = 10_000;

/** A batch's entries have the same sender. */
const senders = lru<Partial<Sender>>(200);
const senderOf = (text: string): Partial<Sender> =>
  senders.get(text) ?? senders.set(text, JSON.parse(text) as Partial<Sender>);

/** What the inbox kept, in columns. */
export function readEntry(row: InboxRow, { isRelease, group }: ReadPorts): ReadEntry {
  const { type, data } = JSON.parse(row.entry) as { type: LogKind; data: Record<string, unknown> };
  const { userId = null, userAgent = null, address = null, sentAt = null } = senderOf(row.sender);
  const said = saidIn(data);
  const receivedAt = row.receivedAt;
  const url = short(data['url'], 1_000);
  const place = placeOf(url ?? said('route'));
  const release = short(said('release', 'build'), 64);
  const device = short(said('deviceId', 'device'), 64);
  const known = release !== null && isRelease(release) ? release : null;
  const message = inOneLine(short(type === 'error' ? data['message'] : data['action'], MESSAGE_MAX) ?? '');
  const { engine, browser, os, display, connection, push, storage } = traitsOf(data, userAgent, said);
  // Every name by itself: V8 makes the object at once, where spreading others into it moves it with each name that follows.
  return {
    engine,
    browser,
    os,
    display,
    connection,
    push,
    storage,
    id: row.id,
    kind: type,
    receivedAt,
    happenedAt: correctedTime(short(data['timestamp'], 64) ?? '', { sentAt, receivedAt }) ?? receivedAt,
    sentAt: deviceTime(sentAt),
    message,
    source: /^[\w.:/ -]{1,60}$/.test(String(data['source'] ?? '')) ? String(data['source']) : null,
    route: place.route,
    community: place.community,
    url,
    release: known,
    userId,
    person: userId ?? (device === null ? digest(`${address} ${userAgent}`) : `device ${device}`),
    device,
    sequence: whole(said('sequence', 'seq'), 2 ** 50),
    repeats: Math.max(1, whole(data['repeats'], REPEATS_MAX) ?? 1),
    offlineMs: offlineOf(data, said),
    address,
    userAgent,
    by: type === 'error' ? group({ message, stack: data['stack'], release: known }) : null,
    groupId: null,
  };
}

const short = (value: unknown, length: number): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, length).toWellFormed() : null;

/** Most messages hold no space but single ones, and are not made anew. */
const inOneLine = (text: string): string => (/\s\s|[^\S ]/.test(text) ? text.replace(/\s+/g, ' ') : text);

const whole = (value: unknown, most: number): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.min(Math.floor(value), most) : null;

const digests = lru<string>(2_000);
const digest = (text: string): string =>
  digests.get(text) ?? digests.set(text, `~${createHash('sha256').update(text).digest('base64url').slice(0, 16)}`);
