import { beforeEach, expect, test, vi } from 'vitest';
import { resumeCommands } from '../../app/features/shell/resume.ts';
import { createQueryClient, userQuery } from '../../app/lib/query.ts';
import type { DeviceEvent } from '../../worker/schema.ts';
import { entryOf } from './member/support.ts';
import { aUser, json, refusal, serverOfEach } from './support.tsx';

const device = vi.hoisted(() => ({
  members: [] as unknown[],
  unsent: [] as unknown[],
  tell: (_event: DeviceEvent) => {},
}));
const said = vi.hoisted(() => [] as unknown[]);
vi.mock('../../app/ui/toast.tsx', () => ({ toast: (words: unknown) => said.push(words) }));
vi.mock('../../app/lib/device.ts', () => ({
  setMember: async (id: string | null) => void device.members.push(id),
  unsentOf: async () => device.unsent,
  onDeviceEvent: (listener: (event: DeviceEvent) => void) => {
    device.tell = listener;
  },
}));

const server = serverOfEach();
beforeEach(() => {
  device.members = [];
  said.length = 0;
  device.unsent = [entryOf('claim:c1:t1')];
});

function page() {
  const client = createQueryClient();
  client.setQueryData(userQuery.queryKey, aUser);
  resumeCommands(client);
  return client;
}
const refuse = (userId = aUser.id) => device.tell({ type: 'UNAUTHENTICATED', userId });
const asked = () => server.asked.filter(({ url }) => url === '/api/auth/user').length;
const settled = () => new Promise((done) => setTimeout(done, 20));

test('whom the server knows still, by a session that has replaced that of the act: it goes on', async () => {
  page();
  server.answer(() => json(aUser));
  refuse();
  refuse();
  await vi.waitFor(() => expect(device.members).toEqual([aUser.id]));
  expect([asked(), said]).toEqual([1, []]);
});
test('a server that knows the member and refuses the act is not asked for ever, but again once something came through', async () => {
  page();
  server.answer(() => json(aUser));
  refuse();
  await vi.waitFor(() => expect(device.members).toHaveLength(1));
  refuse();
  await settled();
  expect([asked(), device.members.length]).toEqual([1, 1]);
  device.tell({ type: 'DELIVERED', entry: entryOf('claim:c1:t1'), status: 201, answer: null });
  refuse();
  await vi.waitFor(() => expect(device.members).toHaveLength(2));
});
test('of a session that ended every screen hears, the member is told what is kept, and nothing is sent', async () => {
  const client = page();
  server.answer(() => refusal(401, 'SIGNED_OUT'));
  refuse();
  await vi.waitFor(() => expect(client.getQueryData(userQuery.queryKey)).toBeNull());
  await vi.waitFor(() => expect(said).toMatchObject([{ line: 'What you saved waits here for your next sign-in.' }]));
  expect(device.members).toEqual([]);
});
test('where only a report of the device met it, nothing is said to be kept', async () => {
  const client = page();
  device.unsent = [];
  server.answer(() => refusal(401, 'SIGNED_OUT'));
  refuse();
  await vi.waitFor(() => expect(client.getQueryData(userQuery.queryKey)).toBeNull());
  await settled();
  expect(said).toEqual([]);
});
test('an act of another member is none of this page’s', async () => {
  page();
  refuse('u2');
  await settled();
  expect([asked(), device.members]).toEqual([0, []]);
});
test('a server that cannot say is asked again the next time', async () => {
  page();
  server.answer(() => refusal(403, 'TELEGRAM_MEMBERSHIP_REVOKED'));
  refuse();
  await vi.waitFor(() => expect(asked()).toBe(1));
  await settled();
  server.answer(() => json(aUser));
  refuse();
  await vi.waitFor(() => expect(device.members).toEqual([aUser.id]));
});
