import type { RequestHandler } from 'express';
import type { Runtime } from '../base/runtime.ts';
import { readCookies, sessionCookie } from './cookies.ts';
import { headerOf } from './request-parts.ts';

/** What is counted by day without anything about who it was. */
type Visit = 'landing' | 'install';
type Ports = Pick<Runtime, 'own' | 'now'>;

/** Counts that are not written yet: `landing 2026-11-26`. */
const waiting = () => new Map<string, number>();

/** Counts one. It is written within seconds (`writeVisits`): a page never waits for it, and a crash may lose the last few. */
export function countVisit({ own, now }: Ports, what: Visit): void {
  const counts = own(waiting);
  const key = `${what} ${now().toISOString().slice(0, 10)}`;
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Adds what this process has counted to what is stored; what cannot be written waits for the next time. */
export async function writeVisits({ sql, own }: Pick<Runtime, 'sql' | 'own'>): Promise<void> {
  const counts = own(waiting);
  for (const [key, count] of [...counts]) {
    const [what = '', day = ''] = key.split(' ');
    await sql`
      insert into visit_days as v (what, day, count) values (${what}, ${day}, ${count})
      on conflict (what, day) do update set count = v.count + excluded.count`;
    // More may have come while it was written.
    const left = (counts.get(key) ?? count) - count;
    if (left > 0) counts.set(key, left);
    else counts.delete(key);
  }
}

/**
 * Counts first-page visits by browsers without a session. A browser says that it navigates (Fetch Metadata); monitors,
 * link previews and most crawlers do not. Pages from a service worker never come here.
 */
export function countLandings(runtime: Ports & Pick<Runtime, 'config'>): RequestHandler {
  return (req, _res, next) => {
    const isPage =
      req.method === 'GET' &&
      req.path === '/' &&
      headerOf(req, 'sec-fetch-mode') === 'navigate' &&
      headerOf(req, 'sec-fetch-dest') === 'document' &&
      headerOf(req, 'sec-purpose') === undefined;
    if (isPage) {
      const cookies = readCookies(req.headers.cookie);
      const isVisitor = (['web', 'mini_app'] as const).every(
        (kind) => cookies[sessionCookie(runtime.config, kind)] === undefined,
      );
      if (isVisitor) countVisit(runtime, 'landing');
    }
    next();
  };
}
