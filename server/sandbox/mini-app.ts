import { createHmac, randomBytes } from 'node:crypto';
import { Router } from 'express';
import { isLoopback } from './codes.ts';
import { hostPage, THEMES } from './mini-app-page.ts';
import { choosePage, wrongRequestPage } from './pages.ts';
import { SANDBOX_BOT_TOKEN } from './settings.ts';
import type { Person } from './state.ts';
import { queryOf, type World } from './world.ts';

/**
 * Telegram's web client, as far as a Mini App sees it: `/mini-app?app=<origin>&person=<id>&start=<param>&theme=dark` frames the
 * app's document with signed `initData` behind `#`, and plays the client's side of the events (core.telegram.org/api/web-events).
 */
export function miniAppHost(world: World): Router {
  const router = Router();
  router.get('/mini-app', (req, res) => {
    const query = queryOf(req);
    const app = query.get('app') ?? world.appOrigin ?? '';
    const isOurs = URL.canParse(app) && (new URL(app).origin === world.appOrigin || isLoopback(new URL(app).hostname));
    if (!isOurs) return void res.status(400).send(wrongRequestPage('telegram', 'app must be the origin of the app.'));
    const one = world.state.people.get(query.get('person') ?? '');
    if (!one) {
      const people = world.state.people.values();
      return void res.send(
        choosePage('Who opens the Mini App?', 'As in Telegram’s web client.', '/mini-app', query, people),
      );
    }
    const start = query.get('start');
    const theme = query.get('theme') === 'dark' ? 'dark' : 'light';
    const launch = new URLSearchParams({
      tgWebAppData: signedInitData(one, start, world.now()),
      tgWebAppVersion: '9.0',
      tgWebAppPlatform: 'weba',
      tgWebAppThemeParams: JSON.stringify(THEMES[theme]),
    });
    const address = new URL('/mini', app);
    if (start !== null) address.searchParams.set('tgWebAppStartParam', start);
    res.send(hostPage(`${address.href}#${launch}`, theme));
  });
  return router;
}

/** Signed as in core.telegram.org/bots/webapps. */
function signedInitData(one: Person, start: string | null, now: Date): string {
  const user = {
    id: Number(one.telegramUserId),
    first_name: one.firstName,
    last_name: one.lastName ?? '',
    ...(one.username === null ? {} : { username: one.username }),
    language_code: 'en',
  };
  const fields = new URLSearchParams({
    query_id: randomBytes(12).toString('base64url'),
    user: JSON.stringify(user),
    auth_date: String(Math.floor(now.getTime() / 1000)),
    ...(start === null ? {} : { start_param: start }),
  });
  const text = [...fields]
    .map((pair) => pair.join('='))
    .sort()
    .join('\n');
  const key = createHmac('sha256', 'WebAppData').update(SANDBOX_BOT_TOKEN).digest();
  fields.set('hash', createHmac('sha256', key).update(text).digest('hex'));
  return fields.toString();
}
