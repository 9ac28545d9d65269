import { number } from './format.ts';

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** `12.3 MB`: decimal units, one digit after the point above bytes. */
export function bytesWord(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < UNITS.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${number(unit === 0 ? value : Math.round(value * 10) / 10)} ${UNITS[unit] ?? 'B'}`;
}
