import { createHash } from 'node:crypto';
import { SANDBOX_CLIENT_ID, SANDBOX_CLIENT_SECRET, SANDBOX_X_CLIENT_ID, SANDBOX_X_CLIENT_SECRET } from './settings.ts';
import type { Grant } from './state.ts';

export type AuthorizationRequest =
  | {
      ok: true;
      redirectUri: string;
      state: string | null;
      codeChallenge: string | null;
      nonce: string | null;
      scope: string;
    }
  | { ok: false; reason: string };

/** Checks what both providers check of an authorization request before they show a page. */
export function readAuthorizationRequest(
  query: URLSearchParams,
  clientId: string,
  appOrigin: string | undefined,
): AuthorizationRequest {
  const refuse = (reason: string): AuthorizationRequest => ({ ok: false, reason });
  if (query.get('client_id') !== clientId) return refuse('client_id is not the sandbox app.');
  if (query.get('response_type') !== 'code') return refuse('response_type must be code.');
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!isAllowedRedirect(redirectUri, appOrigin)) return refuse('redirect_uri is not one of the allowed URLs.');
  const codeChallenge = query.get('code_challenge');
  if (codeChallenge !== null && query.get('code_challenge_method') !== 'S256') {
    return refuse('code_challenge_method must be S256.');
  }
  const state = query.get('state');
  if (state !== null && state.length > 500) return refuse('state is longer than 500 characters.');
  return { ok: true, redirectUri, state, codeChallenge, nonce: query.get('nonce'), scope: query.get('scope') ?? '' };
}

/** The app's own origin when it is known, else any page of this computer: a sandbox serves nobody else. */
function isAllowedRedirect(redirectUri: string, appOrigin: string | undefined): boolean {
  if (!URL.canParse(redirectUri)) return false;
  const url = new URL(redirectUri);
  if (url.hash !== '' || !/^https?:$/.test(url.protocol)) return false;
  return url.origin === appOrigin || isLoopback(url.hostname);
}

export const isLoopback = (hostname: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);

/** The redirect URI with an answer and the given `state`. */
export function answerUrl(redirectUri: string, state: string | null, answer: Record<string, string>): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
  if (state !== null) url.searchParams.set('state', state);
  return url.href;
}

export type Redemption = { ok: true; grant: Grant } | { ok: false; reason: string };

/** Takes a code out of the store, whatever comes of it, and checks expiry, client, redirect URI and PKCE. */
export function redeem(codes: Map<string, Grant>, form: URLSearchParams, clientId: string, now: number): Redemption {
  const code = form.get('code') ?? '';
  const grant = codes.get(code);
  codes.delete(code);
  if (!grant) return { ok: false, reason: 'the code is unknown or was used' };
  if (grant.expiresAt <= now) return { ok: false, reason: 'the code has expired' };
  if (grant.clientId !== clientId) return { ok: false, reason: 'the code belongs to another client' };
  if (grant.redirectUri !== form.get('redirect_uri')) return { ok: false, reason: 'redirect_uri differs' };
  if (grant.codeChallenge !== null) {
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (proof !== grant.codeChallenge) return { ok: false, reason: 'code_verifier does not match' };
  }
  return { ok: true, grant };
}

/** `Authorization: Basic`, each half form-encoded (RFC 6749, 2.3.1). */
export function basicCredentials(header: string | undefined): { id: string; secret: string } | null {
  const encoded = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return null;
  const [id, secret] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  if (id === undefined || secret === undefined) return null;
  const decode = (text: string) => new URLSearchParams(`v=${text}`).get('v') ?? '';
  return { id: decode(id), secret: decode(secret) };
}

export const isTelegramClient = (given: { id: string; secret: string } | null): boolean =>
  given?.id === SANDBOX_CLIENT_ID && given.secret === SANDBOX_CLIENT_SECRET;

export const isXClient = (given: { id: string; secret: string } | null): boolean =>
  given?.id === SANDBOX_X_CLIENT_ID && given.secret === SANDBOX_X_CLIENT_SECRET;
