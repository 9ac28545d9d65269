/** The queue by its keys and filters: letters act on the open answer, with Shift on the selection, and never in a field. */
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Review } from '../../../app/features/leader/review/review.tsx';
import type { ReviewItem } from '../../../server/contract/review.ts';
import { dashboardOf, reviewItemOf } from '../member/support.ts';
import { besideReview, recordOf } from '../review-reads.ts';
import { click, draw, fill, json, serverOfEach } from '../support.tsx';

type Sent = { path: string; body: { decision: string; reason?: string } };
const device = vi.hoisted(() => ({ kept: [] as unknown[], none: [] }));
vi.mock('../../../app/lib/device.ts', async () => ({
  ...(await import('../quiet-device.ts')),
  enqueue: async (entry: unknown) => {
    device.kept.push(entry);
    return 'entry-1';
  },
}));
vi.mock('../../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));

const of = (id: string, over: { name: string; task?: string; appeal?: boolean }): ReviewItem => {
  const item = reviewItemOf(id, `2026-11-21T0${id.length}:00:00.000Z`);
  const task = over.task ?? 'Sweep';
  return {
    ...item,
    claim: {
      ...item.claim,
      ...(over.appeal && {
        state: 'rejected',
        appeal: { text: 'Look again.', at: '2026-11-21T10:00:00.000Z', outcome: 'open' },
      }),
    },
    task: { ...item.task, id: task, title: task, kind: task === 'Sweep' ? 'submit_text' : 'submit_url' },
    member: { ...item.member, id: `m-${id}`, displayName: over.name },
  };
};
const ITEMS = [
  of('a', { name: 'Noor', appeal: true }),
  of('bb', { name: 'Ana' }),
  of('ccc', { name: 'Ben', task: 'Post a link' }),
  of('dddd', { name: 'Cleo' }),
];

const server = serverOfEach(
  ({ url }) => besideReview(url) ?? json({ items: ITEMS, next: null, waiting: ITEMS.length }),
);
beforeEach(() => {
  device.kept = [];
});
const come = async (path = '/', role: 'leader' | 'moderator' = 'leader') => {
  await draw(<Review community={{ ...dashboardOf([]).community, role }} />, path);
  await screen.findByRole('article');
};
const key = (name: string, init: KeyboardEventInit = {}) =>
  act(async () => void fireEvent.keyDown(document.activeElement ?? document.body, { key: name, ...init }));
const shift = (name: string) => key(name.toUpperCase(), { shiftKey: true });
const current = () =>
  screen.getAllByRole('heading', { level: 2 }).find(({ className }) => className !== 'review-group')?.textContent;
const sent = () => (device.kept as Sent[]).map(({ path, body }) => [path.split('/').at(-2), body.decision]);
const reason = () => screen.getByLabelText('Reason') as HTMLTextAreaElement;

test('J, K and N walk, N to the next answer of the same task and round again', async () => {
  await come();
  expect(current()).toBe('Noor');
  await key('j');
  expect(current()).toBe('Ana');
  await key('n');
  expect(current()).toBe('Cleo');
  await key('n');
  expect(current()).toBe('Noor');
  await key('j');
  await key('k');
  expect(current()).toBe('Noor');
});

test('a letter decides about the open answer, with Shift about the selection, which never has an appeal', async () => {
  await come();
  await key('x');
  expect(screen.queryByRole('button', { name: /^Approve \d/ })).toBeNull();
  await shift('x');
  screen.getByRole('button', { name: 'Approve 3' });
  // What is shown side by side has no appeal: it is read for itself.
  const beside = () => screen.queryByRole('region', { name: 'Selected answers' })?.querySelectorAll('li').length;
  expect(beside()).toBe(3);
  await key('k');
  expect([beside(), current()]).toEqual([undefined, 'Noor']);
  await key('a');
  expect(sent()).toEqual([['a', 'approve']]);
  await shift('a');
  expect(sent().slice(1)).toEqual([
    ['bb', 'approve'],
    ['ccc', 'approve'],
    ['dddd', 'approve'],
  ]);
});

test('changes are asked of several at once, in words that a saved reply begins', async () => {
  await come();
  await shift('x');
  await shift('c');
  await key('1');
  expect(reason().value).toContain('Please say a little more');
  await key('Enter', { ctrlKey: true });
  expect(sent()).toEqual([
    ['bb', 'request_changes'],
    ['ccc', 'request_changes'],
    ['dddd', 'request_changes'],
  ]);
});

test('no changes are asked of an appeal', async () => {
  await come();
  await key('c');
  expect(screen.queryByLabelText('Reason')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Ask for changes' })).toBeNull();
});

test('no letter decides while a field has the focus', async () => {
  await come();
  await key('/');
  const [search] = screen.getAllByRole('searchbox', { name: 'Member or task' });
  expect(document.activeElement).toBe(search);
  await key('a');
  expect(sent()).toEqual([]);
  await key('Escape');
  await key('a');
  expect(sent()).toEqual([['a', 'approve']]);
});

test('it is narrowed to appeals, a kind, a task or a name; the address says to what', async () => {
  await come('/?task=Sweep');
  expect(current()).toBe('Noor');
  await key('j');
  await key('j');
  expect(current()).toBe('Cleo');
  cleanup();
  await come('/?kind=submit_url');
  expect(current()).toBe('Ben');
  cleanup();
  await come('/?search=cle');
  expect(current()).toBe('Cleo');
  cleanup();
  await come();
  await click(screen.getAllByRole('button', { name: /^Appeals 1/ })[0] as Element);
  await key('j');
  expect(current()).toBe('Noor');
});

test('of a queue longer than a page the server is asked, and more of it is read on demand', async () => {
  const far = of('eeeee', { name: 'Dora' });
  const byTask = [{ taskId: 'Sweep', title: 'Sweep', kind: 'submit_text', answers: 999, appeals: 1 }];
  server.answer(({ url }) => {
    const beside = besideReview(url);
    if (beside) return beside;
    if (url.includes('search=dora') || url.includes('after='))
      return json({ items: [far], next: null, waiting: 1000, byTask });
    return json({ items: ITEMS, next: 'place-1', waiting: 1000, byTask });
  });
  await come('/?search=dora').catch(() => undefined);
  await vi.waitFor(() => expect(current()).toBe('Dora'));
  screen.getByRole('button', { name: 'All 1,000' });
  cleanup();
  await come();
  await click(screen.getByRole('button', { name: 'Show more' }));
  await screen.findByText('Dora');
});

test('the record stands beside the answer: its last decisions as marks and in words, trust as a sum from 50', async () => {
  const at = '2026-11-20T10:00:00.000Z';
  const record = recordOf({
    approved: 41,
    rejected: 2,
    last: [
      { claimId: 'o1', task: 'Waymark', state: 'rejected', at, reason: 'Too dark to read.' },
      { claimId: 'o2', task: 'Waymark', state: 'approved', at, reason: null },
    ],
    trust: { score: 65, signals: [{ code: 'membership_age', effect: 15, note: 'A member for 40 days' }] },
  });
  server.answer(({ url }) =>
    url.includes('/record')
      ? json(record)
      : (besideReview(url) ?? json({ items: ITEMS, next: null, waiting: ITEMS.length })),
  );
  await come();
  const beside = await screen.findByRole('region', { name: 'Noor’s record' });
  await within(beside).findByRole('img', { name: 'Last decisions: rejected, approved' });
  expect(beside.textContent).toContain('41 approved, 2 rejected');
  expect(beside.textContent).toContain('Last rejection, Waymark: “Too dark to read.”');
  expect(beside.textContent).toMatch(/Everyone starts with\s*50.*\+15.*65/);
});

test('leaders write the replies that a review offers; moderators use them', async () => {
  let replies: unknown = { reject: ['Not on our route'], request_changes: [] };
  server.answer(({ url, method, init }) => {
    if (method === 'PUT') replies = JSON.parse(String(init.body));
    if (url.includes('/saved-replies')) return json(replies);
    return besideReview(url) ?? json({ items: ITEMS, next: null, waiting: ITEMS.length });
  });
  await come();
  await key('r');
  await screen.findByRole('button', { name: 'Not on our route' });
  await click(screen.getByRole('button', { name: 'Edit replies' }));
  const form = screen.getByRole('dialog', { name: 'Saved replies' });
  const [, more] = within(form).getAllByRole('button', { name: 'Add a reply' });
  await click(more as Element);
  const field = within(form).getByLabelText('Reply 2');
  await fill(field, 'Name the gate');
  await click(within(form).getByRole('button', { name: 'Save the replies' }));
  await vi.waitFor(() =>
    expect(replies).toEqual({ reject: ['Not on our route', 'Name the gate'], request_changes: [] }),
  );
  cleanup();
  await come('/', 'moderator');
  await key('r');
  await screen.findByRole('button', { name: 'Name the gate' });
  expect(screen.queryByRole('button', { name: 'Edit replies' })).toBeNull();
});

test('without a connection the replies that were read are offered, and editing them says what it needs', async () => {
  server.answer(({ url }) =>
    url.includes('/saved-replies')
      ? json({ reject: ['Not on our route'], request_changes: [] })
      : (besideReview(url) ?? json({ items: ITEMS, next: null, waiting: ITEMS.length })),
  );
  await come();
  await vi.waitFor(() => expect(server.asked.some(({ url }) => url.includes('/saved-replies'))).toBe(true));
  server.answer(() => {
    throw new TypeError('Failed to fetch');
  });
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await act(async () => void window.dispatchEvent(new Event('offline')));
  await key('r');
  await key('1');
  expect(reason().value).toBe('Not on our route');
  await click(screen.getByRole('button', { name: 'Edit replies' }));
  const form = within(screen.getByRole('dialog', { name: 'Saved replies' }));
  form.getByText('Saving these needs a connection. What you write is kept on this device until then.');
  form.getByRole('button', { name: 'Save the replies: needs a connection' });
  online.mockRestore();
});

describe('pictures', () => {
  const picture = (id: string, name: string): ReviewItem => {
    const item = of(id, { name });
    const evidence = { kind: 'submit_image', imageId: `image-${id}`, note: '' } as const;
    return {
      ...item,
      task: { ...item.task, kind: 'submit_image' },
      ask: { kind: 'submit_image' },
      claim: { ...item.claim, evidence },
    };
  };
  const PICTURES = [picture('a', 'Ana'), picture('bb', 'Ben'), picture('ccc', 'Cleo'), of('dddd', { name: 'Dora' })];
  beforeEach(() => {
    const same = { claim: PICTURES[0]?.claim, displayName: 'Ana', likeness: 1 };
    server.answer(({ url }) =>
      url.includes('/ccc/similar')
        ? json([same])
        : (besideReview(url) ?? json({ items: PICTURES, next: null, waiting: PICTURES.length })),
    );
  });
  const enlarged = () => screen.queryByRole('dialog', { name: 'Picture sent by Ana' });
  const tiles = () =>
    within(screen.getByRole('region', { name: 'Selected answers' }))
      .getAllByRole('listitem')
      .map(
        (tile) =>
          `${within(tile).getByRole<HTMLInputElement>('checkbox').checked} ${tile.querySelector('b')?.textContent}`,
      );

  test('Space enlarges the one that is open and closes it again; F shows it in full size', async () => {
    await come();
    await key(' ');
    const dialog = enlarged() as HTMLElement;
    expect(document.activeElement?.textContent).toContain('Close');
    const full = within(dialog).getByRole('button', { name: 'Full size' });
    await key('f');
    expect(full.getAttribute('aria-pressed')).toBe('true');
    (dialog.querySelector('[tabindex="0"]') as HTMLElement).focus();
    await key('a');
    await key(' ');
    expect(enlarged()).toBeNull();
    expect(sent()).toEqual([]);
    // Space is that of a button which has the focus.
    screen.getByRole('button', { name: 'Approve' }).focus();
    await key(' ');
    expect(enlarged()).toBeNull();
    await click(screen.getByRole('button', { name: /^Picture sent by Ana/ }));
    expect(enlarged()).not.toBeNull();
  });

  test('that of the next answer is brought along, for when the connection is gone by then', async () => {
    const brought: string[] = [];
    vi.stubGlobal(
      'Image',
      class {
        set src(address: string) {
          brought.push(address);
        }
      },
    );
    await come();
    expect(brought.map((address) => address.split('/').at(-1))).toEqual(['image-bb']);
  });

  test('one that is not on this device is said to be missing, until there is a connection', async () => {
    await come();
    await act(async () => void fireEvent.error(screen.getByRole('img', { name: 'Picture sent by Ana' })));
    screen.getByText('The picture is not on this device. It shows when there is a connection.');
    await key(' ');
    expect(enlarged()).toBeNull();
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    await act(async () => void window.dispatchEvent(new Event('offline')));
    online.mockRestore();
    await act(async () => void window.dispatchEvent(new Event('online')));
    screen.getByRole('img', { name: 'Picture sent by Ana' });
  });

  test('what is selected is side by side with the one that the keys are at, and the later of two alike is marked', async () => {
    await come();
    await key('x');
    expect(screen.queryByRole('region', { name: 'Selected answers' })).toBeNull();
    await key('j');
    await key('x');
    await key('j');
    expect(tiles()).toEqual(['true Ana', 'true Ben', 'false Cleo']);
    await key('x');
    await screen.findByText('100% alike: Ana');
    await click(screen.getByRole('button', { name: 'Leave out 1' }));
    expect(tiles()).toEqual(['true Ana', 'true Ben', 'false Cleo']);
    await click(screen.getByRole('button', { name: 'Select all 4' }));
    expect(tiles()).toHaveLength(4);
    const [, second] = within(screen.getByRole('region', { name: 'Selected answers' })).getAllByRole('checkbox');
    await click(second as Element);
    // Left out, and still there to be taken in again.
    expect(tiles()[1]).toBe('false Ben');
    await key('Escape');
    expect(screen.queryByRole('region', { name: 'Selected answers' })).toBeNull();
    expect(current()).toBe('Ben');
  });
});

test('of texts that are alike the nearest is named, with the overlap of that pair', async () => {
  const text = (id: string, name: string, words: string): ReviewItem => {
    const item = of(id, { name });
    return { ...item, claim: { ...item.claim, evidence: { kind: 'submit_text', text: words } } };
  };
  const items = [
    text('a', 'Ana', 'a b c d e f g h i j'),
    text('bb', 'Ben', 'a b c d e f g h i j'),
    text('ccc', 'Cleo', 'a b c d x f g h i j'),
  ];
  server.answer(({ url }) => besideReview(url) ?? json({ items, next: null, waiting: items.length }));
  await come();
  await shift('x');
  expect((await screen.findAllByText(/% alike: /)).map(({ textContent }) => textContent)).toEqual([
    '100% alike: Ana',
    '64% alike: Ana',
  ]);
});

test('Escape gives up a reason that is asked for before it clears what it is about', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener: vi.fn(), removeEventListener: vi.fn() }));
  await come();
  await shift('x');
  await shift('r');
  reason().blur();
  await key('Escape');
  expect(screen.queryByLabelText('Reason')).toBeNull();
  screen.getByRole('region', { name: 'Selected answers' });
  await key('Escape');
  expect(screen.queryByRole('region', { name: 'Selected answers' })).toBeNull();
});
