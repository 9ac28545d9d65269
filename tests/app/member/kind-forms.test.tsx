/** Numbers, dates, opinions, files and partners: what is wrong is said before it is sent, what is begun is kept. */
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { FormOf } from '../../../app/kinds/member.tsx';
import { viewTask } from '../../../app/shared/tasks/task-view.ts';
import { readNumber } from '../../../app/ui/typed-number.ts';
import { FILE_BYTES } from '../../../server/contract/limits.ts';
import type { TaskAsk } from '../../../server/contract/tasks.ts';
import { fc } from '../../support/chance.ts';
import { click, draw, write } from '../support.tsx';
import { taskOf } from './support.ts';

type Sent = { path: string; body: unknown };
const device = vi.hoisted(() => ({ sent: [] as { path: string; body: unknown }[] }));
vi.mock('../../../app/lib/device.ts', async () => ({
  ...(await import('../quiet-device.ts')),
  enqueue: async ({ path, body }: Sent) => `entry-${device.sent.push({ path, body })}`,
}));
vi.mock('../../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));

beforeEach(() => {
  device.sent = [];
  // Nothing is waited for: what is sent is on the device.
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
});

const form = (ask: TaskAsk) =>
  draw(
    <FormOf
      communityId="c1"
      view={viewTask('c1', taskOf('a', { kind: ask.kind, ask }), [])}
      onDone={() => undefined}
    />,
  );
const submit = () => act(async () => void fireEvent.submit(document.querySelector('form') as HTMLFormElement));
const evidence = () => (device.sent.at(-1)?.body as { evidence: unknown } | undefined)?.evidence;

describe('a number', () => {
  const ask: TaskAsk = { kind: 'number', unit: 'km', min: 1, max: 99.5, decimals: 1 };
  test('is held to its bounds and decimals, kept while it is typed, and sent as it is', async () => {
    await form(ask);
    for (const [typed, told] of [
      ['0.5', /At least 1 km/],
      ['100', /At most 99\.5 km/],
      ['1.25', /at most 1 decimal/],
      ['1,000', /at most 1 decimal/],
      ['far', /in digits/],
    ] as const) {
      await write(/^Number/, typed);
      await submit();
      expect(screen.getByRole('alert').textContent, typed).toMatch(told);
    }
    expect(device.sent).toEqual([]);
    await write(/^Number/, '12,5');
    cleanup();
    await form(ask);
    expect((screen.getByLabelText(/^Number/) as HTMLInputElement).value).toBe('12,5');
    await submit();
    expect(evidence()).toEqual({ kind: 'number', value: 12.5 });
    cleanup();
    await form(ask);
    expect((screen.getByLabelText(/^Number/) as HTMLInputElement).value).toBe('');
  });

  test('that is written with decimals is read as what is written, whichever sign stands before them', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -999_999_999, max: 999_999_999 }),
        fc.integer({ min: 0, max: 6 }),
        fc.constantFrom('.', ','),
        (steps, decimals, sign) => {
          const value = Number((steps / 10 ** decimals).toFixed(decimals));
          expect(readNumber(value.toFixed(decimals).replace('.', sign), decimals)).toEqual({ value: value || 0 });
        },
      ),
    );
  });
});

test('a date is held to its days', async () => {
  await form({ kind: 'date', earliest: '2026-11-01', latest: '2026-11-30' });
  expect(screen.getByRole('button', { name: /^Send/ }).getAttribute('aria-disabled')).toBe('true');
  await write(/^Date/, '2026-12-01');
  await submit();
  expect([screen.getByRole('alert').textContent, device.sent]).toEqual([expect.stringMatching(/or earlier/), []]);
  await write(/^Date/, '2026-11-30');
  await submit();
  expect(evidence()).toEqual({ kind: 'date', date: '2026-11-30' });
});

test('an opinion is one of ten numbers whose ends are said', async () => {
  await form({ kind: 'scale', low: 'Never', high: 'Always' });
  expect(screen.getByRole('group', { name: 'From 1, Never, to 10, Always' })).toBeTruthy();
  expect(screen.getAllByRole('radio')).toHaveLength(10);
  await click(screen.getByLabelText('8'));
  cleanup();
  await form({ kind: 'scale', low: 'Never', high: 'Always' });
  expect((screen.getByLabelText('8') as HTMLInputElement).checked).toBe(true);
  await submit();
  expect(evidence()).toEqual({ kind: 'scale', value: 8 });
});

test('a file is looked at before it is sent, and goes before the answer that names it', async () => {
  await form({ kind: 'file' });
  const choose = async (file: File) => {
    await act(async () => void fireEvent.change(screen.getByLabelText(/Choose/), { target: { files: [file] } }));
    await screen.findByText(new RegExp(file.name));
  };
  await choose(new File([new Uint8Array([0xff, 0xd8, 0xff])], 'a.pdf', { type: 'application/pdf' }));
  expect(screen.getByRole('status').textContent).toContain('neither a whole PDF nor plain text');
  await choose(new File([new Uint8Array(FILE_BYTES + 1)], 'b.txt'));
  expect(screen.getByRole('status').textContent).toContain('larger than 1,024 kB');
  await submit();
  expect(device.sent).toEqual([]);
  await choose(new File(['%PDF-1.7\n1 0 obj\n%%EOF\n'], 'c.html', { type: 'text/html' }));
  await submit();
  const [bytes, claim] = device.sent;
  expect(bytes?.body).toHaveProperty('type', 'application/pdf');
  const { fileId, ...rest } = evidence() as { fileId: string };
  expect(bytes?.path).toBe(`/api/communities/c1/files/${fileId}`);
  expect([claim?.path, rest]).toEqual(['/api/communities/c1/tasks/a/claims', { kind: 'file', name: 'c.html' }]);
});

test('a partner is asked after the member was told what it gets', async () => {
  await form({ kind: 'partner', host: 'shop.example.org', asks: 'Order number' });
  expect(document.body.textContent).toContain(
    'shop.example.org decides whether it counts. It gets your Telegram and X',
  );
  await submit();
  expect(device.sent).toEqual([]);
  await write(/^Order number/, ' 4711 ');
  await submit();
  expect(evidence()).toEqual({ kind: 'partner', answer: '4711' });
  cleanup();
  await form({ kind: 'partner', host: 'shop.example.org', asks: '' });
  await submit();
  expect(evidence()).toEqual({ kind: 'partner' });
});
