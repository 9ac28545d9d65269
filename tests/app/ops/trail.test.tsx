/** What an operator reads of what led up to an error. */
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { Trail } from '../../../app/features/ops/logs/trail.tsx';
import type { Breadcrumb, EntryDetail } from '../../../server/contract/ops-logs.ts';
import { draw } from '../support.tsx';

vi.mock('../../../app/lib/device.ts', () => ({ onDeviceEvent: () => () => undefined }));

const HAPPENED = '2026-11-21T14:28:52.000Z';
const crumb = (offsetMs: number, message: string, data: unknown = {}, more: Partial<Breadcrumb> = {}): Breadcrumb => ({
  at: new Date(Date.parse(HAPPENED) + offsetMs).toISOString(),
  ...{ offsetMs, kind: 'debug', message, data, entryId: null, ...more },
});
async function rows(breadcrumbs: Breadcrumb[], offlineMs: number | null = null, missingBefore = 0) {
  const entry = { happenedAt: HAPPENED, offlineMs, kind: 'error' };
  await draw(<Trail detail={{ breadcrumbs, entry, gap: { missingBefore, dropped: 0 } } as unknown as EntryDetail} />);
  return screen
    .getAllByRole('listitem')
    .map((row) => [
      ...[...row.children].flatMap(({ textContent, localName }) => (localName === 'svg' ? [] : [textContent])),
      row.className.includes('trail__offline') ? 'dashed' : 'solid',
    ]);
}

test('each as time to the error, words and a measure; the rail is dashed while there is no connection', async () => {
  const what = 'POST /api/communities/:id/claims';
  const shown = await rows(
    [
      crumb(-400_000, 'online'),
      crumb(-380_000, 'navigate', { to: '/{communityName}/dashboard' }),
      crumb(-379_000, 'call', { method: 'GET', to: '/api/communities', status: 200, ms: 1_240 }),
      crumb(-360_000, 'offline'),
      crumb(-60_000, 'call', { method: 'GET', to: '/api/communities', status: 200, ms: 4, copy: true }),
      crumb(-38_000, 'press', { role: 'button', name: 'Take a photo' }),
      crumb(-9_100, 'outbox', { what, now: 'waiting' }),
      crumb(-9_000, 'call', { method: 'GET', to: '/api/user', status: 0, ms: 30 }),
      crumb(-2_000, 'update'),
      crumb(-1_200, 'press', { role: 'radio', place: 'form' }),
      crumb(-3, 'press', { role: 'link' }),
      crumb(900, 'outbox', { what, now: 'delivered', status: 201 }),
    ],
    360_000,
  );
  expect(shown).toEqual([
    ['−7 min', 'Connection back', 'solid'],
    ['−6 min', 'Page /{communityName}/dashboard', 'solid'],
    ['−6 min', 'GET /api/communities', '200, 1,240 ms', 'solid'],
    ['−6 min', 'Connection lost', 'dashed'],
    ['−60 s', 'GET /api/communities', 'copy, 4 ms', 'dashed'],
    ['−38 s', 'Pressed “Take a photo”', 'dashed'],
    ['−9.1 s', `Outbox ${what}`, 'kept', 'dashed'],
    ['−9 s', 'GET /api/user', 'no answer, 30 ms', 'dashed'],
    ['−2 s', 'A new build is ready', 'dashed'],
    ['−1.2 s', 'Pressed: radio in form', 'dashed'],
    ['0 s', 'Pressed: link', 'dashed'],
    [expect.stringMatching(/^\d\d:28:52\.000$/), 'This entry', 'dashed'],
    ['+0.9 s', `Outbox ${what}`, 'delivered', 'dashed'],
  ]);
});

test('what another build or a stranger noted is shown as they wrote it, and turns nothing', async () => {
  const shown = await rows([
    crumb(-5_000, 'tap', { button: '\u202eclaim' }),
    crumb(-4_000, 'call', null),
    crumb(-3_000, 'press', { name: '<b>\u202e' }),
    crumb(-2_000, 'outbox', { now: 'constructor', what: 7 }),
    crumb(-1_000, 'Error: before', null, { kind: 'error', entryId: 'e1' }),
  ]);
  expect(shown.map(([, ...words]) => words.join(' '))).toEqual([
    'tap {"button":"\\u202eclaim"} solid',
    expect.stringContaining('?'),
    'Pressed “<b>\\u202e” solid',
    'Outbox 7 solid',
    'Error: before solid',
    'This entry solid',
  ]);
  expect(screen.getByRole('link', { name: 'Error: before' }).getAttribute('href')).toContain('entry=e1');
});

test('says where the phone noted nothing, and what never arrived', async () => {
  expect(await rows([], null, 2)).toHaveLength(1);
  screen.getByText('The phone recorded nothing around it.');
  screen.getByText('2 entries right before it never arrived.');
});
