import { createHash } from 'node:crypto';
import type { LogKind } from '../../contract/logs.ts';
import { correctedTime, deviceTime, type Sender } from './entry.ts';
import type { Grouper, Grouping } from './group.ts';
import { fieldReader, offlineOf, pageFrom, type Traits, traitsOf } from './traits.ts';
import { senderKey } from './usage.ts';

/** What intake stored of an entry. */
export type InboxRow = {
  position: string;
  id: string;
  receivedAt: Date;
  sender: Partial<Sender>;
  kind: LogKind;
  data: Record<string, unknown>;
};
/** Dependencies of reading an entry: whether a release is one of ours, and the groups of an error. */
export type ReadPorts = { isRelease: (name: string) => boolean; group: (entry: Parameters<Grouper>[0]) => Grouping };

/** An entry with everything that lists, filters and rollups read of it. */
export type ReadEntry = Traits & {
  /** Its position in the inbox, where the content waits. */
  position: string;
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
  /** Whose quota it counts for, see `senderKey`. */
  sender: string;
  /** Member, else device, else network and browser: what people are counted by. */
  person: string;
  device: string | null;
  sequence: number | null;
  repeats: number;
  offlineMs: number | null;
  address: string | null;
  userAgent: string | null;
  /** For errors. */
  by: Grouping | null;
  /** Null until it was given one, and of debug entries ever. */
  groupId: number | null;
};

const MESSAGE_MAX = 1_000;
const REPEATS_MAX = 10_000;

/** The stored columns of an inbox row. */
export function readEntry(row: InboxRow, { isRelease, group }: ReadPorts): ReadEntry {
  const { position, id, receivedAt, kind, data } = row;
  const { userId = null, userAgent = null, address = null, sentAt = null } = row.sender;
  const field = fieldReader(data);
  const url = short(data['url'], 1_000);
  const page = pageFrom(url ?? field('route'));
  const release = short(field('release', 'build'), 64);
  const device = short(field('deviceId', 'device'), 64);
  const valid = release !== null && isRelease(release) ? release : null;
  const message = inOneLine(short(kind === 'error' ? data['message'] : data['action'], MESSAGE_MAX) ?? '');
  return {
    ...traitsOf(data, userAgent, field),
    position,
    id,
    kind,
    receivedAt,
    happenedAt: correctedTime(short(data['timestamp'], 64) ?? '', { sentAt, receivedAt }) ?? receivedAt,
    sentAt: deviceTime(sentAt),
    message,
    source: /^[\w.:/ -]{1,60}$/.test(String(data['source'] ?? '')) ? String(data['source']) : null,
    route: page.route,
    community: page.community,
    url,
    release: valid,
    userId,
    sender: senderKey(row.sender),
    person: userId ?? (device === null ? digest(`${address} ${userAgent}`) : `device ${device}`),
    device,
    sequence: whole(field('sequence', 'seq'), 2 ** 50),
    repeats: Math.max(1, whole(data['repeats'], REPEATS_MAX) ?? 1),
    offlineMs: offlineOf(data, field),
    address,
    userAgent,
    by: kind === 'error' ? group({ message, stack: data['stack'], release: valid }) : null,
    groupId: null,
  };
}

const short = (value: unknown, length: number): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, length).toWellFormed() : null;

const inOneLine = (text: string): string => text.replace(/\s+/g, ' ');

const whole = (value: unknown, most: number): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.min(Math.floor(value), most) : null;

const digest = (text: string): string => `~${createHash('sha256').update(text).digest('base64url').slice(0, 16)}`;
