import { createHash } from 'node:crypto';

/** The S256 challenge of a verifier (RFC 7636, 4.2). */
export const codeChallenge = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

/** The only plain-http hosts that may stand for a provider: this computer's own. */
export const isLoopbackHttp = (url: URL): boolean =>
  url.protocol === 'http:' && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
