/** What the reader of client logs makes of its address and of what strangers wrote. */
import { fireEvent, render, screen } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { Inert, Trend } from '../../../app/features/ops/logs/parts.tsx';
import { filtersOf, logsAt, spanOf, stateOf } from '../../../app/features/ops/logs/search.ts';
import { Tail } from '../../../app/features/ops/logs/tail.tsx';
import { dataWord } from '../../../app/features/ops/logs/trail.tsx';
import { spanWord, stateWord } from '../../../app/features/ops/logs/words.ts';
import { draw, fakeServer, json } from '../support.tsx';

vi.mock('../../../app/lib/device.ts', () => ({ onDeviceEvent: () => () => undefined }));
const LISTED = ['release', 'engine', 'browser', 'os', 'display', 'connection', 'community', 'route', 'source'];
const ID = '0190e6a0-0000-7000-8000-000000000001';

describe('an address', () => {
  test('gives the filters that it names, and no others', () => {
    expect(filtersOf({ q: '  rank ', engine: 'firefox', issue: ID, entry: ID, last: '7d' })).toEqual({
      q: 'rank',
      engine: 'firefox',
      issue: ID,
    });
  });
  test.each([
    [{ user: 'nobody' }],
    [{ issue: "1' or '1'='1" }],
    [{ kind: 'all' }],
    [{ offline: 'maybe' }],
    [{ q: '   ' }],
    [{ engine: '' }],
  ])('that garbles %j asks for nothing by it, rather than for a refusal', (search) => {
    expect(filtersOf(search as Record<string, string>)).toEqual({});
  });
  test('falls back to what is usual where it names nothing there is', () => {
    expect([stateOf({ state: 'x' }), spanOf({ last: 'x' })]).toEqual(['open', '24h']);
    expect(spanOf({ from: 'yesterday' })).toBe('24h');
    expect(spanOf({ from: '2026-11-21T10:00:00Z' })).toBeNull();
  });
  test('is written with what it asks for alone', async () => {
    const { router } = await draw(null);
    const hrefOf = (page: Parameters<typeof logsAt>[0], search = {}) =>
      router.buildLocation(logsAt(page, search) as never).publicHref;
    expect(hrefOf('issue', { issue: ID })).toBe(`/admin/client-logs?issue=${ID}`);
    expect(hrefOf('entries', { issue: ID })).toBe(`/admin/client-logs?view=entries&issue=${ID}`);
  });
});

describe('words', () => {
  test.each([
    [40, '0 s'],
    [2_400, '2.4 s'],
    [90_000, '90 s'],
    [51 * 60_000, '51 min'],
    [(3 * 60 + 12) * 60_000, '3 h 12 min'],
    [6 * 86_400_000, '6 d'],
    [-7 * 60_000, '7 min'],
  ])('%d ms are %s', (ms, words) => expect(spanWord(ms)).toBe(words));
  test('say where an issue stands; a regression before everything', () => {
    const issue = { state: 'resolved', regression: false, resolvedIn: 'a1', ignoredUntil: null } as const;
    expect(stateWord(issue)).toBe('Resolved in a1');
    expect(stateWord({ ...issue, resolvedIn: null })).toBe('Resolved in the next release');
    expect(stateWord({ ...issue, state: 'open', regression: true })).toBe('Regressed');
    expect(stateWord({ ...issue, state: 'ignored', ignoredUntil: { kind: 'people', people: 3 } })).toBe(
      'Ignored until 3 more people',
    );
  });
});

describe('what strangers wrote', () => {
  test('is text, and what would turn or hide it is spelled out', () => {
    const { container } = render(<Inert>{'<b onclick=x>\u202eevil\u0000\u200b\u001b[31m'}</Inert>);
    expect(container.querySelectorAll('b')).toHaveLength(0);
    expect(container.textContent).toBe('<b onclick=x>\\u202eevil\\u0000\\u200b\\u001b[31m');
  });
  test('stands on one line beside a breadcrumb, and no longer than a line can be', () => {
    expect(dataWord({ a: 'one\ntwo' })).toBe('{"a":"one\\ntwo"}');
    expect(dataWord('x'.repeat(1_000))).toHaveLength(301);
    expect([dataWord(null), dataWord(undefined)]).toEqual(['', '']);
  });
});

test('the live room has its filters too, with the values of lately', async () => {
  vi.stubGlobal(
    'EventSource',
    class extends EventTarget {
      close() {}
    },
  );
  const { asked, answer } = fakeServer();
  answer(() => json(Object.fromEntries(LISTED.map((name) => [name, []]))));
  await draw(<Tail />);
  fireEvent.click(screen.getByRole('button', { name: 'Filters' }));
  expect(await screen.findByLabelText('Engine')).toBeDefined();
  // The server takes a time or none; an empty one it refuses.
  expect(asked.map(({ url }) => url)).toEqual(['/api/admin/client-logs/choices']);
});

test('a trend says in words what it draws', () => {
  render(<Trend steps={[0, 3, 0]} loud={false} label="Over the span: 3 entries" />);
  expect(screen.getByRole('img', { name: 'Over the span: 3 entries' }).querySelectorAll('rect')).toHaveLength(3);
});
