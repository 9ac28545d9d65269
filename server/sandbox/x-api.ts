import { Router } from 'express';
import { postIdAt, postIdOf } from '../contract/x-post.ts';
import { answerUrl, basicCredentials, isXClient, readAuthorizationRequest, redeem } from './codes.ts';
import { donePage, intentPage, postedPage, wrongRequestPage, xPage } from './pages.ts';
import { SANDBOX_X_CLIENT_ID } from './settings.ts';
import { idFor, randomToken, type XAccount } from './state.ts';
import { formOf, queryOf, type World } from './world.ts';
import { xReads } from './x-reads.ts';

/** X's authorization codes live 30 seconds (docs.x.com, OAuth 2.0 Authorization Code Flow with PKCE). */
const CODE_LIVES_MS = 30_000;

/** X: consent page, token, refresh, revoke, intents and oEmbed; what its API shows is in `x-reads.ts`. */
export function xApi(world: World): Router {
  const router = Router();
  consent(world, router);
  tokens(world, router);
  router.use(xReads(world));
  intents(world, router);
  oembed(world, router);
  return router;
}

/** The account of a name, created if new. */
function accountNamed(world: World, username: string): XAccount {
  const existing = [...world.state.xAccounts.values()].find(
    (one) => one.username.toLowerCase() === username.toLowerCase(),
  );
  const account = existing ?? { id: idFor('x', username), username, name: username };
  world.state.xAccounts.set(account.id, account);
  return account;
}

function consent(world: World, router: Router): void {
  const approve = (query: URLSearchParams, account: XAccount): string => {
    const request = readAuthorizationRequest(query, SANDBOX_X_CLIENT_ID, world.appOrigin);
    if (!request.ok) throw new Error(request.reason);
    const code = randomToken();
    world.state.xCodes.set(code, {
      personId: account.id,
      clientId: SANDBOX_X_CLIENT_ID,
      redirectUri: request.redirectUri,
      codeChallenge: request.codeChallenge,
      nonce: null,
      scope: request.scope,
      expiresAt: world.now().getTime() + CODE_LIVES_MS,
    });
    return answerUrl(request.redirectUri, request.state, { code });
  };

  const accounts = () =>
    [...world.state.xAccounts.values()].map((account) => {
      const owner = [...world.state.people.values()].find((one) => one.xId === account.id);
      return { ...account, person: owner?.telegramUserId ?? account.id, note: owner?.note ?? '' };
    });

  const problemOf = (query: URLSearchParams): string | null => {
    const request = readAuthorizationRequest(query, SANDBOX_X_CLIENT_ID, world.appOrigin);
    if (!request.ok) return request.reason;
    if (request.codeChallenge === null) return 'code_challenge is required.';
    return request.state === null ? 'state is required.' : null;
  };

  router.get('/i/oauth2/authorize', (req, res) => {
    const query = queryOf(req);
    const problem = problemOf(query);
    if (problem !== null) return void res.status(400).send(wrongRequestPage('x', problem));
    if (query.has('deny')) {
      return void res.redirect(
        302,
        answerUrl(query.get('redirect_uri') ?? '', query.get('state'), { error: 'access_denied' }),
      );
    }
    const person = query.get('person') ?? '';
    const account = world.state.xAccounts.get(world.state.people.get(person)?.xId ?? person);
    if (account) return void res.redirect(302, approve(query, account));
    query.delete('person');
    res.send(xPage(query, accounts()));
  });

  router.post('/i/oauth2/authorize', (req, res) => {
    const form = formOf(req);
    const username = (form.get('username') ?? '').trim().replace(/^@/, '');
    form.delete('username');
    const problem = problemOf(form);
    if (problem !== null) return void res.status(400).send(wrongRequestPage('x', problem));
    if (!/^[A-Za-z0-9_]{1,15}$/.test(username)) return void res.status(400).send(xPage(form, accounts()));
    res.redirect(303, approve(form, accountNamed(world, username)));
  });
}

/** A confidential client proves itself with Basic; a public one names itself in the body. */
const isClientAllowed = (header: string | undefined, form: URLSearchParams): boolean =>
  header === undefined ? form.get('client_id') === SANDBOX_X_CLIENT_ID : isXClient(basicCredentials(header));

function tokens(world: World, router: Router): void {
  const give = (xId: string, scope: string) => {
    const [access, refresh] = [randomToken(), randomToken()];
    const isOffline = scope.split(' ').includes('offline.access');
    world.state.xTokens.set(access, xId);
    world.state.xScopes.set(access, scope);
    if (isOffline) {
      world.state.xRefreshTokens.set(refresh, { xId, access });
      world.state.xScopes.set(refresh, scope);
    }
    const more = isOffline ? { refresh_token: refresh } : {};
    return { token_type: 'bearer', expires_in: 7200, access_token: access, scope, ...more };
  };
  /** A refresh token takes the access token along that came with it. */
  const forget = (token: string): boolean => {
    const access = world.state.xRefreshTokens.get(token)?.access ?? token;
    for (const one of [token, access]) world.state.xScopes.delete(one);
    const wasRefresh = world.state.xRefreshTokens.delete(token);
    return world.state.xTokens.delete(access) || wasRefresh;
  };

  router.post('/2/oauth2/token', (req, res) => {
    const form = formOf(req);
    res.set('cache-control', 'no-store');
    if (!isClientAllowed(req.headers.authorization, form)) {
      return void res
        .status(401)
        .json({ error: 'unauthorized_client', error_description: 'Missing valid authorization header' });
    }
    if (form.get('grant_type') === 'refresh_token') {
      // Each refresh token works once: what it gives has another (docs.x.com, refresh tokens).
      const old = form.get('refresh_token') ?? '';
      const held = world.state.xRefreshTokens.get(old);
      const scope = world.state.xScopes.get(old) ?? '';
      if (!held) return void res.status(400).json({ error: 'invalid_request' });
      forget(old);
      return void res.json(give(held.xId, scope));
    }
    if (form.get('grant_type') !== 'authorization_code') {
      return void res.status(400).json({ error: 'unsupported_grant_type' });
    }
    const redemption = redeem(world.state.xCodes, form, SANDBOX_X_CLIENT_ID, world.now().getTime());
    if (!redemption.ok) {
      return void res.status(400).json({
        error: 'invalid_request',
        error_description: 'Value passed for the authorization code was invalid.',
      });
    }
    res.json(give(redemption.grant.personId, redemption.grant.scope));
  });

  router.post('/2/oauth2/revoke', (req, res) => {
    const form = formOf(req);
    if (!isClientAllowed(req.headers.authorization, form)) {
      return void res
        .status(401)
        .json({ error: 'unauthorized_client', error_description: 'Missing valid authorization header' });
    }
    res.json({ revoked: forget(form.get('token') ?? '') });
  });
}

function intents(world: World, router: Router): void {
  router.get('/intent/post', (req, res) => {
    const query = queryOf(req);
    res.send(intentPage('post', query, query.get('text') ?? '', world.state.xAccounts.values()));
  });
  router.post('/intent/post', (req, res) => {
    const form = formOf(req);
    const account = world.state.xAccounts.get(form.get('person') ?? '');
    if (!account) return void res.status(400).send(wrongRequestPage('x', 'There is no such account.'));
    const { engagements } = world.state;
    const postId = `${postIdAt(world.now().getTime()) + BigInt(engagements.length)}`;
    const [answered, quoted] = [form.get('in_reply_to') ?? '', postIdOf(form.get('url') ?? '')];
    engagements.push({
      xId: account.id,
      kind: answered === '' ? (quoted === '' ? 'post' : 'quote') : 'reply',
      postId,
      ...(answered || quoted ? { targetId: answered || quoted } : {}),
      text: form.get('text') ?? '',
    });
    res.send(postedPage(`https://x.com/${account.username}/status/${postId}`));
  });

  for (const name of ['follow', 'like', 'retweet'] as const) {
    router.get(`/intent/${name}`, (req, res) => {
      res.send(intentPage(name, queryOf(req), null, world.state.xAccounts.values()));
    });
    router.post(`/intent/${name}`, (req, res) => {
      const form = formOf(req);
      const account = world.state.xAccounts.get(form.get('person') ?? '');
      if (!account) return void res.status(400).send(wrongRequestPage('x', 'There is no such account.'));
      const postId = form.get('tweet_id') ?? '';
      world.state.engagements.push(
        name === 'follow'
          ? { xId: account.id, kind: name, targetId: accountNamed(world, form.get('screen_name') ?? '').id }
          : { xId: account.id, kind: name === 'like' ? 'like' : 'repost', postId },
      );
      res.send(donePage(account.username));
    });
  }
}

function oembed(world: World, router: Router): void {
  router.get('/oembed', (req, res) => {
    const url = queryOf(req).get('url') ?? '';
    const [, handle, postId] = /^https:\/\/(?:x|twitter)\.com\/(\w{1,15})\/status\/(\d+)$/.exec(url) ?? [];
    const post = world.state.engagements.find((one) => one.postId === postId && /^(post|reply|quote)$/.test(one.kind));
    const author = post ? world.state.xAccounts.get(post.xId) : undefined;
    if (!author || (handle !== 'i' && author.username.toLowerCase() !== handle?.toLowerCase())) {
      return void res.status(404).json({ error: 'Sorry, that page does not exist' });
    }
    const text = (post?.text ?? '').replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
    res.json({
      url,
      author_name: author.name,
      author_url: `https://x.com/${author.username}`,
      html: `<blockquote class="twitter-tweet"><p lang="en" dir="ltr">${text}</p>&mdash; ${author.name.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)} (@${author.username})</blockquote>`,
      width: 550,
      height: null,
      type: 'rich',
      cache_age: '3153600000',
      provider_name: 'X',
      provider_url: 'https://x.com',
      version: '1.0',
    });
  });
}
