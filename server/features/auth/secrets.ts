import { createHash, randomBytes } from 'node:crypto';

const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** 256 random bits, base64url: states, PKCE verifiers, browser nonces. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** Only what `newSecret` makes; other values need no lookup. */
export const isSecret = (text: string | undefined): text is string => text !== undefined && SECRET.test(text);

/** The stored form of a secret. */
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
