import { m } from '../paraglide/messages.js';
import { day, isSameDay, timeOfDay } from './format.ts';

type Moment = Date | number | string;
const momentWord = (at: Moment, now: Moment): string =>
  isSameDay(at, now) ? `${m.member_period_today()} ${timeOfDay(at)}` : `${day(at, now)}, ${timeOfDay(at)}`;

/** `Today 14:57 – Dec 9, 15:57`; on one day `Dec 9, 14:57 – 15:57`. */
export const rangeWord = (from: Moment, until: Moment, now: Moment = Date.now()): string =>
  `${momentWord(from, now)} – ${isSameDay(from, until) ? timeOfDay(until) : momentWord(until, now)}`;
