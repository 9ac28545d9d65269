import { EVENT_CODE_STEP_MS } from '../contract/limits.ts';

/**
 * The rotating code of an event, as a steward's device shows it and a member's phone reads it; both may be offline.
 * Scanned: `M1.<taskId>.<step>.<signature>`, Ed25519 over the text of `signedText`, base64url. Typed, where no camera
 * helps: `XXXXX-XXXXX` in Crockford's base 32, two characters for the step modulo 1,024 and eight for the first 40
 * bits of an HMAC-SHA-256 over the same text. The HMAC's key is the SHA-256 of the private key: not every platform
 * signs deterministically (Apple's does not), so the server could not make the same short code from a signature.
 */
export type EventSigner = { sign: CryptoKey; mac: CryptoKey };

const VERSION = 'M1';
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const STEPS_DISTINCT = 1_024;
const MAC_BYTES = 5;
const ED25519 = { name: 'Ed25519' } as const;

const signedText = (taskId: string, step: number) =>
  new TextEncoder().encode(`muster-event\n${taskId.toLowerCase()}\n${step}`);
export const stepOf = (atMs: number): number => Math.floor(atMs / EVENT_CODE_STEP_MS);
/** The step of an event's last code; `endsAtMs` itself is after the event. */
export const lastStepOf = (endsAtMs: number): number => stepOf(endsAtMs - 1);
/** When an event's codes stop being accepted: the last one also covers the following step. Epoch ms. */
export const codesEndAt = (endsAtMs: number): number => (lastStepOf(endsAtMs) + 2) * EVENT_CODE_STEP_MS;

/** What a steward signs with, from the `privateKey` of the contract's `EventKey`. Throws on anything else. */
export async function readSigner(privateKey: string): Promise<EventSigner> {
  const bytes = fromBase64url(privateKey);
  const [sign, digest] = await Promise.all([
    crypto.subtle.importKey('pkcs8', bytes, ED25519, false, ['sign']),
    crypto.subtle.digest('SHA-256', bytes),
  ]);
  const mac = await crypto.subtle.importKey('raw', digest, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return { sign, mac };
}

/** The code of the step that `atMs` lies in, to be scanned and to be typed. */
export async function makeCode(
  signer: EventSigner,
  taskId: string,
  atMs: number,
): Promise<{ qr: string; typed: string }> {
  const step = stepOf(atMs);
  const [signature, typed] = await Promise.all([
    crypto.subtle.sign(ED25519, signer.sign, signedText(taskId, step)),
    typedCode(signer.mac, taskId, step),
  ]);
  const qr = `${VERSION}.${taskId.toLowerCase()}.${step}.${toBase64url(new Uint8Array(signature))}`;
  return { qr, typed: `${typed.slice(0, 5)}-${typed.slice(5)}` };
}

/** The step that a scanned code is of; null when it is not one of this task's. `publicKey` is base64url. */
export async function verifyQr(publicKey: string, taskId: string, qr: string): Promise<number | null> {
  const [version, id, stepText = '', signature = '', ...more] = qr.trim().split('.');
  if (version !== VERSION || id !== taskId.toLowerCase() || more.length > 0 || !/^\d{1,10}$/.test(stepText))
    return null;
  if (!/^[\w-]{86}$/.test(signature)) return null;
  const step = Number(stepText);
  const key = await crypto.subtle.importKey('raw', fromBase64url(publicKey), ED25519, false, ['verify']);
  const genuine = await crypto.subtle.verify(ED25519, key, fromBase64url(signature), signedText(taskId, step));
  return genuine ? step : null;
}

/** The step that a typed code is of, looked for around `nearMs`; null when it is not one of this task's. */
export async function verifyTyped(
  signer: EventSigner,
  taskId: string,
  typed: string,
  nearMs: number,
): Promise<number | null> {
  const code = plainTyped(typed);
  if (code === null) return null;
  const near = stepOf(nearMs);
  const rest = ALPHABET.indexOf(code.charAt(0)) * 32 + ALPHABET.indexOf(code.charAt(1));
  const ahead = (rest - (near % STEPS_DISTINCT) + STEPS_DISTINCT) % STEPS_DISTINCT;
  const step = near + (ahead > STEPS_DISTINCT / 2 ? ahead - STEPS_DISTINCT : ahead);
  return (await typedCode(signer.mac, taskId, step)) === code ? step : null;
}

/** Ten characters of the alphabet, whatever people made of them; null when it is no typed code at all. */
export function plainTyped(typed: string): string | null {
  if (typed.length > 40) return null;
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
  return code.length === 10 && [...code].every((char) => ALPHABET.includes(char)) ? code : null;
}

async function typedCode(mac: CryptoKey, taskId: string, step: number): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.sign('HMAC', mac, signedText(taskId, step)));
  let bits = BigInt(step % STEPS_DISTINCT);
  for (const byte of digest.subarray(0, MAC_BYTES)) bits = (bits << 8n) | BigInt(byte);
  let code = '';
  for (let at = 0; at < 10; at += 1) {
    code = ALPHABET.charAt(Number(bits & 31n)) + code;
    bits >>= 5n;
  }
  return code;
}

const toBase64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const fromBase64url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
