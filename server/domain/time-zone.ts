import { HttpError } from '../base/http-error.ts';

/** Zones that ICU still calls by their former names. */
const RENAMED: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

/**
 * The canonical name of an IANA time zone, however it is written: `europe/lisbon` is `Europe/Lisbon`, `Asia/Calcutta`
 * is `Asia/Kolkata`. Null for invalid names, and for offsets, which have no daylight-saving rules.
 */
export function canonicalZone(name: string): string | null {
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/.test(name)) return null;
  try {
    const canonical = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
    return RENAMED[canonical] ?? canonical;
  } catch {
    return null;
  }
}

/** The same of a zone that a member chooses. Throws 400 `INVALID_INPUT` for what is none. */
export function chosenZone(name: string): string {
  const zone = canonicalZone(name);
  if (zone !== null) return zone;
  throw new HttpError(400, 'INVALID_INPUT', 'timeZone: this zone is not known here.');
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const clocks = new Map<string, Intl.DateTimeFormat>();
/** What clocks in a zone show, in milliseconds as if that were UTC; UTC itself where the zone is unknown. */
function shownAt(at: number, timeZone: string): number {
  let clock = clocks.get(timeZone);
  if (!clock) {
    const parts = { dateStyle: 'short', timeStyle: 'short' } as const;
    // Swedish writes dates as ISO 8601 does.
    clock = new Intl.DateTimeFormat('sv-SE', { timeZone: canonicalZone(timeZone) ?? 'UTC', ...parts });
    clocks.set(timeZone, clock);
  }
  return Date.parse(`${clock.format(at).replace(' ', 'T')}Z`);
}

/**
 * When the clocks of a zone show a time (`2026-11-28T07:30`): the first of two where they are put back, and as much later as they skip
 * where it is among the minutes that are left out.
 */
export function momentOf(localTime: string, timeZone: string): Date {
  const wanted = Date.parse(`${localTime}Z`);
  const offsetAt = (at: number) => shownAt(at, timeZone) - Math.floor(at / MINUTE_MS) * MINUTE_MS;
  // No clock is put back or forward twice in two days.
  const before = wanted - offsetAt(wanted - DAY_MS);
  const after = wanted - offsetAt(wanted + DAY_MS);
  const [first = before] = [before, after].filter((at) => shownAt(at, timeZone) === wanted).sort((a, b) => a - b);
  return new Date(first);
}

/** The zone by which a member's days count now, and the one that counts until `zoneFrom`: what is done before then is of a day there. */
export type Zones = { timeZone: string; zoneBefore?: string | null; zoneFrom?: Date | null };

/** The zone by which a member's days counted at a moment until now. */
export const zoneAt = ({ timeZone, zoneBefore, zoneFrom }: Zones, at: Date): string =>
  zoneBefore && zoneFrom && at < zoneFrom ? zoneBefore : timeZone;
