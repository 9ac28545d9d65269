import { createHash } from 'node:crypto';
import { Router } from 'express';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { answerUrl, basicCredentials, isTelegramClient, readAuthorizationRequest, redeem } from './codes.ts';
import { telegramPage, wrongRequestPage } from './pages.ts';
import { SANDBOX_CLIENT_ID } from './settings.ts';
import { fullName, idFor, type Person, putPerson, randomToken } from './state.ts';
import { formOf, queryOf, type World } from './world.ts';

const CODE_LIVES_MS = 60_000;
const KEY_ID = 'oidc-1';

/** Telegram's OpenID provider: discovery, sign-in page, token endpoint and keys, in the shape of oauth.telegram.org. */
export function telegramOidc(world: World): Router {
  // Made for the first who signs in: it takes a fifth of a second.
  let made: ReturnType<typeof generateKeyPair> | undefined;
  const keys = () => (made ??= generateKeyPair('RS256'));
  const router = Router();

  router.get('/.well-known/openid-configuration', (_req, res) => {
    res.json({
      issuer: world.url,
      authorization_endpoint: `${world.url}/auth`,
      token_endpoint: `${world.url}/token`,
      jwks_uri: `${world.url}/.well-known/jwks.json`,
      response_types_supported: ['code'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'ES256', 'EdDSA', 'ES256K'],
      scopes_supported: ['openid', 'phone', 'profile', 'telegram:bot_access', 'ton:wallet'],
      claims_supported: [
        'aud',
        'preferred_username',
        'phone_number',
        'exp',
        'iat',
        'iss',
        'name',
        'picture',
        'sub',
        'ton',
      ],
      code_challenge_methods_supported: ['plain', 'S256'],
      grant_types_supported: ['authorization_code'],
    });
  });
  router.get('/.well-known/jwks.json', async (_req, res) => {
    const { publicKey } = await keys();
    res.json({ keys: [{ ...(await exportJWK(publicKey)), kid: KEY_ID, alg: 'RS256', use: 'sig' }] });
  });

  signInPages(world, router);

  router.post('/token', async (req, res) => {
    res.set('cache-control', 'no-store');
    if (!isTelegramClient(basicCredentials(req.headers.authorization))) {
      return void res.status(401).set('www-authenticate', 'Basic').json({ error: 'invalid_client' });
    }
    const form = formOf(req);
    if (form.get('grant_type') !== 'authorization_code') {
      return void res.status(400).json({ error: 'unsupported_grant_type' });
    }
    const redemption = redeem(world.state.telegramCodes, form, SANDBOX_CLIENT_ID, world.now().getTime());
    const one = redemption.ok ? world.state.people.get(redemption.grant.personId) : undefined;
    if (!redemption.ok || !one) {
      const reason = redemption.ok ? 'the person is gone' : redemption.reason;
      return void res.status(400).json({ error: 'invalid_grant', error_description: reason });
    }
    res.json({
      access_token: randomToken(),
      token_type: 'Bearer',
      expires_in: 3600,
      id_token: await idToken(one, redemption.grant.scope, redemption.grant.nonce),
    });
  });

  async function idToken(one: Person, scope: string, nonce: string | null): Promise<string> {
    const claims: Record<string, unknown> = {};
    if (scope.split(' ').includes('profile')) {
      claims['id'] = Number(one.telegramUserId);
      claims['name'] = fullName(one);
      if (one.username) claims['preferred_username'] = one.username;
    }
    // Telegram's code flow was observed not to echo the nonce; a test may choose either reading of its documents.
    if (world.nonce === 'echo' && nonce !== null) claims['nonce'] = nonce;
    if (world.nonce === 'wrong') claims['nonce'] = 'of-another-sign-in';
    const issuedAt = Math.floor(world.now().getTime() / 1000);
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: KEY_ID, typ: 'JWT' })
      .setIssuer(world.url)
      .setAudience(SANDBOX_CLIENT_ID)
      .setSubject(subjectOf(one.telegramUserId))
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + 3600)
      .sign((await keys()).privateKey);
  }

  return router;
}

function signInPages(world: World, router: Router): void {
  const approve = (query: URLSearchParams, one: Person): string => {
    const request = readAuthorizationRequest(query, SANDBOX_CLIENT_ID, world.appOrigin);
    if (!request.ok) throw new Error(request.reason);
    const code = randomToken();
    world.state.telegramCodes.set(code, {
      personId: one.telegramUserId,
      clientId: SANDBOX_CLIENT_ID,
      redirectUri: request.redirectUri,
      codeChallenge: request.codeChallenge,
      nonce: request.nonce,
      scope: request.scope,
      expiresAt: world.now().getTime() + CODE_LIVES_MS,
    });
    return answerUrl(request.redirectUri, request.state, { code });
  };

  router.get('/auth', (req, res) => {
    const query = queryOf(req);
    const request = readAuthorizationRequest(query, SANDBOX_CLIENT_ID, world.appOrigin);
    if (!request.ok) return void res.status(400).send(wrongRequestPage('telegram', request.reason));
    if (!request.scope.split(' ').includes('openid')) {
      return void res.redirect(302, answerUrl(request.redirectUri, request.state, { error: 'invalid_scope' }));
    }
    if (query.has('deny')) {
      return void res.redirect(302, answerUrl(request.redirectUri, request.state, { error: 'access_denied' }));
    }
    const one = world.state.people.get(query.get('person') ?? '');
    if (one) return void res.redirect(302, approve(query, one));
    query.delete('person');
    res.send(telegramPage(query, world.state.people.values()));
  });

  router.post('/auth', (req, res) => {
    const form = formOf(req);
    const firstName = (form.get('firstName') ?? '').trim().slice(0, 64);
    const username = (form.get('username') ?? '').trim().replace(/^@/, '');
    form.delete('firstName');
    form.delete('username');
    const request = readAuthorizationRequest(form, SANDBOX_CLIENT_ID, world.appOrigin);
    if (!request.ok) return void res.status(400).send(wrongRequestPage('telegram', request.reason));
    if (firstName === '' || (username !== '' && !/^[A-Za-z][A-Za-z0-9_]{3,31}$/.test(username))) {
      return void res.status(400).send(telegramPage(form, world.state.people.values()));
    }
    const one: Person = {
      telegramUserId: idFor('person', username === '' ? null : username),
      firstName,
      lastName: null,
      username: username === '' ? null : username,
      xId: null,
      xUsername: null,
      note: 'Added here',
    };
    putPerson(world.state, one);
    res.redirect(303, approve(form, one));
  });
}

/** An opaque number that is not the Telegram id, as the real provider's `sub` is. */
function subjectOf(telegramUserId: string): string {
  const digest = createHash('sha256').update(`subject:${telegramUserId}`).digest();
  return String(digest.readUIntBE(0, 6));
}
