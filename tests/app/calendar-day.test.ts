import { afterAll, expect, test } from 'vitest';
import { calendarDay } from '../../app/lib/format.ts';

const zone = process.env['TZ'];
process.env['TZ'] = 'Pacific/Kiritimati';
afterAll(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

test('a calendar day is that day, also where a day begins fourteen hours before it does in Greenwich', () => {
  expect(new Date('2026-11-21T12:00:00Z').getDate()).toBe(22);
  expect(calendarDay('2026-11-21')).toContain('21');
});
