import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  type AnyRouter,
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { act, fireEvent, type RenderResult, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, vi } from 'vitest';
import { createQueryClient } from '../../app/lib/query.ts';
import { ADDRESSES } from '../../app/lib/rooms.ts';
import { BUILD_HEADER } from '../../server/contract/sw-messages.ts';
import type { User } from '../../server/contract/user.ts';

export const aUser: User = {
  id: 'u1',
  telegramUserId: '1001',
  telegramUsername: 'mira',
  twitterUsername: 'mira_x',
  isVerified: true,
  displayName: 'Mira Okafor',
  role: 'member',
};

export type FakeRequest = { url: string; method: string; init: RequestInit };
type Answer = (asked: FakeRequest) => Response | Promise<Response>;
export type FakeServer = { asked: FakeRequest[]; answer: (answer: Answer) => void };

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
export const refusal = (status: number, reason: string, message = reason): Response =>
  json({ status, reason, message, requestId: 'req-1' }, status);

const foreigners = new WeakSet<Response>();
/** An answer that somebody between the page and the server gave in their own name. */
export function foreign(response: Response): Response {
  foreigners.add(response);
  return response;
}
/** The same answer with the server's own header. */
export function own(response: Response): Response {
  if (!foreigners.has(response)) response.headers.set(BUILD_HEADER, 'build-1');
  return response;
}

/** Stands in for the network before each test of a file. Nothing was asked of it then, and `first` answers. */
export function serverOfEach(first?: Answer): FakeServer {
  let server: FakeServer;
  beforeEach(() => {
    server = fakeServer(first);
  });
  return {
    get asked() {
      return server.asked;
    },
    answer: (answer) => server.answer(answer),
  };
}

/**
 * Stands in for the network; every request is written down, every answer the server's own but for a `foreign` one. Undone
 * by `vi.unstubAllGlobals()`.
 */
export function fakeServer(first: Answer = () => json({})): FakeServer {
  const asked: FakeRequest[] = [];
  let reply = first;
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const one = { url, method: init.method ?? 'GET', init };
    asked.push(one);
    return own(await reply(one));
  });
  return {
    asked,
    answer(answer) {
      reply = answer;
    },
  };
}

/**
 * Draws something inside a router and a query cache of its own. What fails is tried again at once: how long a page waits
 * before that, the table of rules tells.
 */
export async function draw(children: ReactNode, path = '/', client = createQueryClient()) {
  retryAtOnce(client);
  const root = createRootRoute({ component: Outlet });
  const any = createRoute({ getParentRoute: () => root, path: '/$', component: () => children });
  const home = createRoute({ getParentRoute: () => root, path: '/', component: () => children });
  const router = createRouter({
    routeTree: root.addChildren([home, any]),
    history: createMemoryHistory({ initialEntries: [path] }),
    ...ADDRESSES,
  });
  await router.load();
  return { ...show(<RouterProvider router={router as never} />, client), client, router };
}

type Drawn = RenderResult & { client: QueryClient; router: AnyRouter };
/** Draws what an address leads to in the app's own table of routes, without the frame around every screen. */
export async function drawAt(path: string, client = createQueryClient()): Promise<Drawn> {
  retryAtOnce(client);
  const { router: app } = await import('../../app/router.tsx');
  app.routeTree.update({ component: Outlet });
  const router = createRouter({ ...app.options, history: createMemoryHistory({ initialEntries: [path] }) });
  await router.load();
  return { ...show(<RouterProvider router={router} />, client), client, router };
}

const show = (page: ReactNode, client: QueryClient) =>
  render(<QueryClientProvider client={client}>{page}</QueryClientProvider>);
function retryAtOnce(client: QueryClient): void {
  const { queries, ...rest } = client.getDefaultOptions();
  client.setDefaultOptions({ ...rest, queries: { ...queries, retryDelay: 0 } });
}

/** What a person does, until the page has followed. */
export const click = (element: Element) => act(async () => void fireEvent.click(element));
export const fill = (element: Element, value: string) =>
  act(async () => void fireEvent.change(element, { target: { value } }));
export const press = (name: string | RegExp) => click(screen.getByRole('button', { name }));
export const write = (label: string | RegExp, value: string) => fill(screen.getByLabelText(label), value);
