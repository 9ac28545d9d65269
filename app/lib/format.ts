/** Numbers, dates and names as people read them, in the page's language and the device's time zone. */
import { getLocale } from '../paraglide/runtime.js';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
type Moment = Date | number | string;
const toDate = (at: Moment) => (at instanceof Date ? at : new Date(at));

/** Creating a formatter costs a hundred times as much as using one. */
const formatters = new Map<string, Intl.DateTimeFormat>();
const numberFormatters = new Map<string, Intl.NumberFormat>();
function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = getLocale() + JSON.stringify(options);
  const cached = formatters.get(key) ?? new Intl.DateTimeFormat(regional(), options);
  formatters.set(key, cached);
  return cached;
}
/** The device's regional variety of the page's language, so clocks and dates follow its owner's settings. */
export function regional(): string {
  const language = getLocale();
  const own = globalThis.navigator?.languages?.find((tag) => tag.split('-')[0] === language);
  return own ?? language;
}

function numberFormat(signDisplay: 'auto' | 'exceptZero'): Intl.NumberFormat {
  const key = getLocale() + signDisplay;
  const cached = numberFormatters.get(key) ?? new Intl.NumberFormat(regional(), { signDisplay });
  numberFormatters.set(key, cached);
  return cached;
}
/** `1,240`. */
export const number = (value: number): string => numberFormat('auto').format(value);
/** `+40`; needs `<bdi dir="ltr">` in right-to-left scripts. */
export const signed = (value: number): string => numberFormat('exceptZero').format(value);

/** `14:02`. */
export const timeOfDay = (at: Moment): string =>
  dateFormat({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(toDate(at));
/** `12 May`, with the year when it is not this one. */
export function day(at: Moment, now: Moment = Date.now()): string {
  const otherYear = toDate(at).getFullYear() !== toDate(now).getFullYear();
  return dateFormat({ day: 'numeric', month: 'short', ...(otherYear && { year: 'numeric' }) }).format(toDate(at));
}
/** The same for a calendar day, `YYYY-MM-DD`: one day in every time zone. */
export const calendarDay = (date: string): string => day(`${date}T12:00:00`);
/** `November 2026` of `2026-11`. */
export const calendarMonth = (month: string): string =>
  dateFormat({ month: 'long', year: 'numeric' }).format(new Date(`${month}-15T12:00:00`));
export const isSameDay = (a: Moment, b: Moment): boolean => toDate(a).toDateString() === toDate(b).toDateString();

/** `14:02` today, `Tue 14:02` within a week, `12 May 14:02` before that. */
export function stampTime(at: Moment, now: Moment = Date.now()): string {
  if (isSameDay(at, now)) return timeOfDay(at);
  const age = toDate(now).getTime() - toDate(at).getTime();
  const lead = age < 6 * DAY_MS && age > 0 ? dateFormat({ weekday: 'short' }).format(toDate(at)) : day(at, now);
  return `${lead} ${timeOfDay(at)}`;
}

/** `Ridge & Valley Walkers` gives `RV`, `Mira` gives `MI`. */
export function initials(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const [first = '', second = ''] = words;
  const letters = second ? [...first].slice(0, 1).concat([...second].slice(0, 1)) : [...first].slice(0, 2);
  return letters.join('').toLocaleUpperCase(getLocale());
}

/** `Ilse, Jon and Sam`. */
export const listing = (items: string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string =>
  new Intl.ListFormat(getLocale(), { type }).format(items);
