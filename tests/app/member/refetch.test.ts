import { QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { statusOf } from '../../../app/lib/http.ts';
import { createQueryClient, read } from '../../../app/lib/query.ts';
import { refetchChanged } from '../../../app/lib/refetch.ts';
import { fakeServer, refusal } from '../support.tsx';

test('a screen that has not been answered yet when an act came through still hears what the server says', async () => {
  const server = fakeServer();
  const onItsWay = new Promise<never>(() => undefined);
  server.answer(() => (server.asked.length === 1 ? onItsWay : refusal(403, 'NOT_A_MEMBER')));
  const client = createQueryClient();
  const reading = read('GET /api/communities/:communityId/dashboard', { communityId: 'walkers' });
  const observer = new QueryObserver(client, reading);
  const stop = observer.subscribe(() => undefined);
  await refetchChanged(client);
  await vi.waitFor(() => expect(statusOf(observer.getCurrentResult().error)).toBe(403));
  stop();
});

test('what the server refuses to say any longer after an act was refused is off the screen', async () => {
  const server = fakeServer();
  server.answer(() =>
    server.asked.length === 1 ? Response.json({ items: [], waiting: 2 }) : refusal(403, 'NOT_ALLOWED'),
  );
  const client = createQueryClient();
  const observer = new QueryObserver(
    client,
    read('GET /api/communities/:communityId/review', { communityId: 'walkers' }),
  );
  const stop = observer.subscribe(() => undefined);
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toMatchObject({ waiting: 2 }));
  await refetchChanged(client);
  await vi.waitFor(() => expect(statusOf(observer.getCurrentResult().error)).toBe(403));
  expect(observer.getCurrentResult().data).toBeUndefined();
  stop();
});

test('what is shown stays where the server cannot be reached after an act', async () => {
  const server = fakeServer();
  const away = () => Promise.reject(new TypeError('away'));
  server.answer(() => (server.asked.length === 1 ? Response.json({ items: [], waiting: 2 }) : away()));
  const client = createQueryClient();
  const observer = new QueryObserver(
    client,
    read('GET /api/communities/:communityId/review', { communityId: 'walkers' }),
  );
  const stop = observer.subscribe(() => undefined);
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toMatchObject({ waiting: 2 }));
  await refetchChanged(client);
  expect(observer.getCurrentResult()).toMatchObject({ data: { waiting: 2 }, error: null });
  stop();
});

test('what a screen does not ask for yet is not asked for by an act either', async () => {
  const server = fakeServer();
  server.answer(() => Response.json({}));
  const client = createQueryClient();
  const season = read('GET /api/communities/:communityId/seasons/:seasonId', { communityId: 'walkers', seasonId: '' });
  const stop = new QueryObserver(client, { ...season, enabled: false }).subscribe(() => undefined);
  await refetchChanged(client);
  expect(server.asked).toEqual([]);
  stop();
  await refetchChanged(client);
  expect(server.asked).toEqual([]);
});
