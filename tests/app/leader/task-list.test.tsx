/** The list of tasks: found by name, put in order by keys, each opened by its row; what is nought is not counted. */
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { Tasks } from '../../../app/features/leader/tasks/tasks.tsx';
import { dashboardOf, taskOf } from '../member/support.ts';
import { click, draw, fill, json, serverOfEach } from '../support.tsx';

vi.mock('../../../app/lib/device.ts', () => import('../quiet-device.ts'));
vi.mock('../../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));

const leaderTask = (title: string, over: object = {}) => ({
  ...taskOf(title, { title }),
  setup: { kind: 'check_in' },
  lockedBy: null,
  claims: { waiting: 0, approved: 0, rejected: 0 },
  ...over,
});
let order: string[];
const server = serverOfEach(({ method, init }) => {
  if (method === 'PUT') {
    order = JSON.parse(String(init.body)).taskIds;
    return json({ ok: true });
  }
  const all = [
    leaderTask('Abel', { claims: { waiting: 3, approved: 0, rejected: 1 } }),
    leaderTask('Mill'),
    leaderTask('Sea'),
    leaderTask('Old', { status: 'archived' }),
  ];
  return json({ items: all.toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id)), next: null });
});
beforeEach(() => {
  order = ['Abel', 'Mill', 'Sea'];
});
const come = async (role: 'leader' | 'moderator' = 'leader') => {
  const drawn = await draw(<Tasks community={{ ...dashboardOf([]).community, role }} />);
  await screen.findByText('Abel');
  return drawn;
};
const titles = () => screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);

test('arrow keys take a task to another place, which members see too', async () => {
  await come();
  expect(titles().slice(0, 3)).toEqual(['Abel', 'Mill', 'Sea']);
  const handle = screen.getByRole('button', { name: 'Move Abel, 1 of 3' });
  await act(async () => void fireEvent.keyDown(handle, { key: 'ArrowDown' }));
  await act(
    async () => void fireEvent.keyDown(screen.getByRole('button', { name: /^Move Abel/ }), { key: 'ArrowDown' }),
  );
  expect(titles().slice(0, 3)).toEqual(['Mill', 'Sea', 'Abel']);
  expect(screen.getByRole('status').textContent).toBe('Abel: 3 of 3');
  await vi.waitFor(() => expect(order).toEqual(['Mill', 'Sea', 'Abel', 'Old']), { timeout: 3_000 });
  expect(server.asked.filter(({ method }) => method === 'PUT')).toHaveLength(1);
});

test('a task is found by its name, and what is nought is not counted', async () => {
  await come();
  screen.getByText(/3 waiting · 1 rejected/);
  expect(screen.queryByText(/0 (waiting|approved|rejected)/)).toBeNull();
  await fill(screen.getByLabelText('Find a task'), 'MIL');
  expect(titles()).toEqual(['Mill']);
  expect(screen.queryByRole('button', { name: /^Move/ })).toBeNull();
  await fill(screen.getByLabelText('Find a task'), 'nothing');
  screen.getByText('No task is called “nothing”.');
});

test('the row opens its editor; moderators see what members see, and move nothing', async () => {
  const { router } = await come();
  await click(screen.getByRole('button', { name: 'Edit: Mill' }));
  await vi.waitFor(() => expect(router.state.location.search).toMatchObject({ edit: 'Mill' }));
  cleanup();
  await come('moderator');
  screen.getByRole('button', { name: 'Preview: Mill' });
  expect(screen.queryByRole('button', { name: /^(Move|Edit)/ })).toBeNull();
});

test('without a connection nothing moves, and the list says why', async () => {
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await come();
  screen.getByText('Changing the order needs a connection.');
  const handle = screen.getByRole('button', { name: 'Move Abel, 1 of 3: needs a connection' });
  await act(async () => void fireEvent.keyDown(handle, { key: 'ArrowDown' }));
  expect(titles().slice(0, 3)).toEqual(['Abel', 'Mill', 'Sea']);
  online.mockRestore();
  await act(async () => void window.dispatchEvent(new Event('online')));
  screen.getByRole('button', { name: 'Move Abel, 1 of 3' });
});

test('leaders see how a poll and a scale stand, beside what else can be done with them', async () => {
  const setups = {
    Poll: {
      kind: 'poll',
      multiple: false,
      choices: [
        { id: 'a', text: 'The lake' },
        { id: 'b', text: 'The ridge' },
      ],
    },
    Scale: { kind: 'scale', low: 'Too short', high: 'Too long' },
  };
  const counts = {
    Poll: [
      ['a', 3],
      ['b', 1],
    ],
    Scale: [
      ['1', 1],
      ['5', 3],
    ],
  };
  server.answer(({ url }) => {
    const of = /tasks\/(\w+)\/poll$/.exec(url)?.[1] as keyof typeof setups | undefined;
    if (of) return json({ votes: 4, counts: counts[of].map(([optionId, votes]) => ({ optionId, votes })) });
    const items = Object.entries(setups).map(([title, setup]) => leaderTask(title, { kind: setup.kind, setup }));
    return json({ items: [leaderTask('Abel'), ...items], next: null });
  });
  await come();
  const more = async (name: string) => click(screen.getByRole('button', { name }));
  await more('More: Poll');
  await screen.findByText('The lake');
  screen.getByRole('img', { name: '3 votes' });
  cleanup();
  await come();
  await more('More: Scale');
  await screen.findByText(/4 of 10 on average/);
});
