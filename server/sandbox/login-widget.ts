import { createHash, createHmac } from 'node:crypto';
import { Router } from 'express';
import { isLoopback } from './codes.ts';
import { choosePage, wrongRequestPage } from './pages.ts';
import { SANDBOX_BOT_TOKEN } from './settings.ts';
import type { Person } from './state.ts';
import { queryOf, type World } from './world.ts';

/**
 * The page behind Telegram's old login widget: `/auth?bot_id=&origin=&return_to=`, which returns to
 * `return_to#tgAuthResult=<base64url JSON>`. A request with `client_id` is OpenID Connect's and goes on.
 */
export function loginWidget(world: World): Router {
  const router = Router();
  router.get('/auth', (req, res, next) => {
    const query = queryOf(req);
    if (!query.has('bot_id')) return next();
    const problem = problemOf(query, world.appOrigin);
    if (problem !== null) return void res.status(400).send(wrongRequestPage('telegram', problem));
    const one = world.state.people.get(query.get('person') ?? '');
    query.delete('person');
    if (!one) {
      const lead = 'The login widget asks for your name and username.';
      return void res.send(choosePage('Who is signing in?', lead, '/auth', query, world.state.people.values()));
    }
    const result = Buffer.from(JSON.stringify(signedLogin(one, world.now()))).toString('base64url');
    res.redirect(302, `${query.get('return_to')}#tgAuthResult=${result}`);
  });
  return router;
}

function problemOf(query: URLSearchParams, appOrigin: string | undefined): string | null {
  if (query.get('bot_id') !== SANDBOX_BOT_TOKEN.split(':')[0]) return 'bot_id is not the sandbox bot.';
  const origin = query.get('origin') ?? '';
  const returnTo = query.get('return_to') ?? '';
  if (!URL.canParse(origin) || !URL.canParse(returnTo)) return 'origin and return_to must be addresses.';
  if (new URL(origin).origin !== appOrigin && !isLoopback(new URL(origin).hostname))
    return 'the domain is not the bot’s.';
  return new URL(returnTo).origin === new URL(origin).origin ? null : 'return_to is not of the origin.';
}

/** Signed as in core.telegram.org/widgets/login-legacy: the key is the SHA-256 of the bot's token. */
function signedLogin(one: Person, now: Date): Record<string, string | number> {
  const fields: Record<string, string | number> = {
    id: Number(one.telegramUserId),
    first_name: one.firstName,
    ...(one.lastName === null ? {} : { last_name: one.lastName }),
    ...(one.username === null ? {} : { username: one.username }),
    auth_date: Math.floor(now.getTime() / 1000),
  };
  const text = Object.entries(fields)
    .map((pair) => pair.join('='))
    .sort()
    .join('\n');
  const key = createHash('sha256').update(SANDBOX_BOT_TOKEN).digest();
  return { ...fields, hash: createHmac('sha256', key).update(text).digest('hex') };
}
