import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { seal, unseal } from '../../server/storage/seal.ts';

const key = randomBytes(32);

test('what is sealed opens under its key for its owner, and is another each time', () => {
  const sealed = seal(key, 'maya', 'a refresh token');
  expect(unseal(key, 'maya', sealed)).toBe('a refresh token');
  expect(sealed.includes('refresh')).toBe(false);
  expect(seal(key, 'maya', 'a refresh token').equals(sealed)).toBe(false);
});

test('another key, another owner, and any byte that was changed open nothing', () => {
  const sealed = seal(key, 'maya', 'a refresh token');
  expect(unseal(randomBytes(32), 'maya', sealed)).toBeNull();
  expect(unseal(key, 'tomasz', sealed)).toBeNull();
  expect(unseal(key, 'maya', sealed.subarray(0, 20))).toBeNull();
  for (let at = 0; at < sealed.length; at += 1) {
    const flipped = Buffer.from(sealed);
    flipped[at] = (flipped[at] ?? 0) ^ 1;
    expect(unseal(key, 'maya', flipped)).toBeNull();
  }
});
