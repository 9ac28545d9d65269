/**
 * A page's rooms are routes below it, and a query in its public address: `/community/a/admin?room=tasks` is
 * `/community/a/admin/tasks` inside. Bookmarks and the bot's links contain the public form, so it stays.
 */
export const LEADER_ROOMS = [
  'review',
  'tasks',
  'quizzes',
  'members',
  'seasons',
  'announcements',
  'analytics',
  'imports',
  'connections',
  'audit',
  'settings',
] as const;
export type LeaderRoom = (typeof LEADER_ROOMS)[number] | 'event';
export const LOG_VIEWS = ['issues', 'entries', 'tail', 'fleet', 'rules'] as const;
export type LogRoom = (typeof LOG_VIEWS)[number] | 'timeline' | 'issue' | 'entry';
export const ACCOUNT_VIEWS = ['people', 'communities', 'applications', 'partnerships'] as const;
export type AccountRoom = (typeof ACCOUNT_VIEWS)[number] | 'person' | 'community';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const isId = (text: string | null | undefined): text is string => typeof text === 'string' && UUID.test(text);

const named = (rooms: readonly string[], name: string | null) => rooms.find((room) => room === name);

/** How a page's query names its room; an unknown name gives none. */
type Page = { path: RegExp; name: string; roomOf: (query: URLSearchParams) => string | null | undefined };
const PAGES: readonly Page[] = [
  {
    path: /^((?:\/community)?\/[^/]+\/admin)(?:\/(\w+))?\/?$/,
    name: 'room',
    roomOf: (query) =>
      named(LEADER_ROOMS, query.get('room')) ?? (query.get('room') === 'event' && query.get('task') ? 'event' : null),
  },
  {
    path: /^(\/admin\/client-logs)(?:\/(\w+))?\/?$/,
    name: 'view',
    roomOf(query) {
      const view = query.get('view');
      if (view === 'timeline' && (isId(query.get('user')) || query.get('device'))) return view;
      if (view !== null) return named(LOG_VIEWS, view);
      return ['issue', 'entry'].find((page) => isId(query.get(page)));
    },
  },
  {
    path: /^(\/admin\/account-management)(?:\/(\w+))?\/?$/,
    name: 'view',
    roomOf: (query) =>
      ['person', 'community'].find((page) => query.has(page)) ?? named(ACCOUNT_VIEWS, query.get('view')),
  },
];

type Rewritten = URL | undefined;
export const roomsInQuery = {
  /** From the browser's address to the router's. */
  input({ url }: { url: URL }): Rewritten {
    for (const { path, name, roomOf } of PAGES) {
      const [, page, inside] = path.exec(url.pathname) ?? [];
      const room = page !== undefined && inside === undefined && roomOf(url.searchParams);
      if (!room) continue;
      url.pathname = `${page}/${room}`;
      if (url.searchParams.get(name) === room) url.searchParams.delete(name);
      return url;
    }
    return undefined;
  },
  /** From the router's address to the public one. */
  output({ url }: { url: URL }): Rewritten {
    for (const { path, name, roomOf } of PAGES) {
      const [, page, room] = path.exec(url.pathname) ?? [];
      if (page === undefined || room === undefined) continue;
      url.pathname = page;
      // A page about one item is addressed by that item.
      if (roomOf(url.searchParams) !== room)
        url.search = `?${new URLSearchParams([[name, room], ...url.searchParams])}`;
      return url;
    }
    return undefined;
  },
};

/** How the router reads and writes addresses. Query values stay text: a code of digits is no number. */
export const ADDRESSES = {
  parseSearch: (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch(search: Record<string, unknown>): string {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(search)) if (value !== undefined) query.set(name, String(value));
    return query.size > 0 ? `?${query}` : '';
  },
  rewrite: roomsInQuery,
};

type Texts<Name extends string> = { [One in Name]?: string };
const asTexts = (search: Record<string, unknown>) => search;
/** The parameters that a page's query may have. Every value is text, since `parseSearch` reads nothing else. */
export const texts = <Name extends string>() => asTexts as (search: Record<string, unknown>) => Texts<Name>;
