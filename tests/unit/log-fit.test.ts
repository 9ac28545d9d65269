/** What is kept of a log entry that is larger than one may be. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { BREADCRUMBS_MAX, LOG_ENTRY_BYTES } from '../../server/contract/limits.ts';
import { rowOf } from '../../server/features/client-logs/entry.ts';

const breadcrumbs = Array.from({ length: BREADCRUMBS_MAX }, (_, at) => ({
  ...{ at: 1_795_000_000_000 + at, kind: 'press', data: { role: 'button', name: `Label ${at}` } },
}));
const stack = ['TypeError: x', ...Array.from({ length: 60 }, (_, at) => `    at f${at} (app/a.ts:${at}:1)`)].join('\n');
const context = { build: 'abc', connection: { online: false }, device: { engine: 'chromium' } };
function kept(userId: string | null, data: Record<string, unknown>) {
  const row = rowOf({ id: randomUUID(), type: 'error', data: { message: 'x', ...data } }, { userId });
  if (typeof row === 'string') throw new Error(row);
  const most = userId === null ? LOG_ENTRY_BYTES.stranger : LOG_ENTRY_BYTES.member;
  expect(Buffer.byteLength(row.data)).toBeLessThanOrEqual(most);
  return JSON.parse(row.data) as { breadcrumbs: unknown; stack: string; context: unknown };
}

describe('breadcrumbs', () => {
  test('are kept whole where there is room', () => {
    expect(kept('member', { breadcrumbs, stack, context }).breadcrumbs).toEqual(breadcrumbs);
  });
  test.each([
    ['member', 'x'.repeat(3_900), 10],
    [null, 'x'.repeat(100), 1],
  ])(
    'of an entry that is too large (%s): the last ones stay, beside its stack and its circumstances',
    (who, note, least) => {
      const entry = kept(who, { breadcrumbs, stack, context, note, additionalData: 'y'.repeat(3_000) });
      const left = entry.breadcrumbs as typeof breadcrumbs;
      expect(left.length).toBeGreaterThanOrEqual(least);
      expect(left.length).toBeLessThan(breadcrumbs.length);
      expect(left).toEqual(breadcrumbs.slice(-left.length));
      expect(entry.stack).toContain('at f0 ');
      expect(entry.context).toEqual(context);
    },
  );
  test.each([
    [['z'.repeat(3_900), 'z'.repeat(3_900), 'z'.repeat(3_900)]],
    ['z'.repeat(3_900)],
    [{ a: 'z'.repeat(3_900) }],
  ])('that are none, or one is larger than all may be, hold nothing up', (hostile) => {
    expect(JSON.stringify(kept(null, { breadcrumbs: hostile, stack, context }).breadcrumbs).length).toBeLessThan(600);
  });
});
