import { describe, expect, it } from 'vitest';
import { EVENT_CODE_STEP_MS } from '../../server/contract/limits.ts';
import { makeCode, plainTyped, readSigner, stepOf, verifyQr, verifyTyped } from '../../server/rules/event-code.ts';

const TASK = '0b9c7d1e-1111-4222-8333-444455556666';
const OTHER = '0b9c7d1e-1111-4222-8333-444455556667';
const AT = Date.parse('2026-11-21T12:00:30Z');

async function pair() {
  const keys = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as CryptoKeyPair;
  const base64url = (bytes: ArrayBuffer) => Buffer.from(bytes).toString('base64url');
  return {
    signer: await readSigner(base64url(await crypto.subtle.exportKey('pkcs8', keys.privateKey))),
    publicKey: base64url(await crypto.subtle.exportKey('raw', keys.publicKey)),
  };
}

describe('a code of an event', () => {
  it('verifies where it was made for, scanned and typed, and tells its step', async () => {
    const { signer, publicKey } = await pair();
    const { qr, typed } = await makeCode(signer, TASK, AT);
    expect(typed).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
    expect(await verifyQr(publicKey, TASK, qr)).toBe(stepOf(AT));
    expect(await verifyTyped(signer, TASK, typed, AT)).toBe(stepOf(AT));
    // hours later, as when it arrives from a phone that was offline
    expect(await verifyTyped(signer, TASK, typed, AT + 500 * EVENT_CODE_STEP_MS)).toBe(stepOf(AT));
    expect(await verifyTyped(signer, TASK, typed, AT - 500 * EVENT_CODE_STEP_MS)).toBe(stepOf(AT));
  });

  it('is nothing for another task, another key, another step, or with any character changed', async () => {
    const { signer, publicKey } = await pair();
    const { qr, typed } = await makeCode(signer, TASK, AT);
    const other = await pair();
    expect(await verifyQr(publicKey, OTHER, qr)).toBe(null);
    expect(await verifyQr(other.publicKey, TASK, qr)).toBe(null);
    expect(await verifyQr(publicKey, TASK, qr.replace(`.${stepOf(AT)}.`, `.${stepOf(AT) + 1}.`))).toBe(null);
    expect(await verifyQr(publicKey, OTHER, qr.replace(TASK, OTHER))).toBe(null);
    expect(await verifyTyped(signer, OTHER, typed, AT)).toBe(null);
    expect(await verifyTyped(other.signer, TASK, typed, AT)).toBe(null);
    for (let at = 0; at < typed.length; at += 1) {
      if (typed[at] === '-') continue;
      const changed = `${typed.slice(0, at)}${typed[at] === '7' ? '8' : '7'}${typed.slice(at + 1)}`;
      expect(await verifyTyped(signer, TASK, changed, AT), changed).toBe(null);
    }
  });

  it('changes with each step, and stays within one', async () => {
    const { signer } = await pair();
    const typed = async (ms: number) => (await makeCode(signer, TASK, ms)).typed;
    expect(await typed(AT)).toBe(await typed(AT + 29_000));
    expect(await typed(AT)).not.toBe(await typed(AT + EVENT_CODE_STEP_MS));
  });

  it('is read as people type it', () => {
    expect(plainTyped(' o1l-i2 abcde ')).toBe('01112ABCDE');
    for (const no of ['', 'ABCDE', 'ABCDE-FGHJU', 'ABCDE-FGHJKM', 'é'.repeat(10), 'A'.repeat(10_000)]) {
      expect(plainTyped(no), no.slice(0, 20)).toBe(null);
    }
  });

  it('survives rubbish', async () => {
    const { signer, publicKey } = await pair();
    const signature = 'A'.repeat(86);
    for (const code of ['', '.', 'M1...', `M1.${TASK}.1.`, `M1.${TASK}.1.${signature}`, `M1.${TASK}.-1.${signature}`]) {
      expect(await verifyQr(publicKey, TASK, code), code).toBe(null);
      expect(await verifyTyped(signer, TASK, code, AT), code).toBe(null);
    }
  });
});
