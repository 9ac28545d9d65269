import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { Audit } from '../../../app/features/leader/audit/audit.tsx';
import type { AuditEntry } from '../../../server/contract/rooms.ts';
import { draw, fakeServer, fill, json } from '../support.tsx';

const entryOf = (action: string, subject: string | null): AuditEntry => ({
  id: action,
  at: '2026-11-20T10:00:00.000Z',
  action,
  by: 'Ilse',
  subject,
  reason: null,
});
const lines = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);

test('the log says in words what was done and which settings were changed; a code without words is shown as it is', async () => {
  const items = [
    entryOf('community.changed', 'invite_threshold, name, motto'),
    entryOf('task.changed', 'name, tags'),
    entryOf('member.painted', 'Mo'),
  ];
  fakeServer().answer(() => json({ items, next: null }));
  await draw(<Audit communityId="c1" />);
  await screen.findByText('member.painted');
  const [settings, task, unknown] = lines();
  expect(settings).toContain('Settings changed');
  expect(settings).toContain('Ilse → Points before an invited member counts, Name, motto');
  expect(task).toContain('Task changed');
  expect(task).toContain('Ilse → name, tags');
  expect(unknown).toContain('Ilse → Mo');
});

test('the log is narrowed down to one kind of act, which a reload keeps; an address that names none shows all', async () => {
  const server = fakeServer();
  server.answer(() => json({ items: [entryOf('member.removed', 'Mo')], next: null }));
  const { router } = await draw(<Audit communityId="c1" />, '/?action=constructor');
  const choice = await screen.findByLabelText<HTMLSelectElement>('Action');
  expect(choice.value).toBe('');
  await fill(choice, 'member.removed');
  expect(router.state.location.search).toEqual({ action: 'member.removed' });
  await vi.waitFor(() => expect(server.asked.at(-1)?.url).toBe('/api/communities/c1/audit?action=member.removed'));
});
