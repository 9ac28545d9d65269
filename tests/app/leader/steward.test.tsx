import { generateKeyPairSync } from 'node:crypto';
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { Steward } from '../../../app/features/leader/steward/steward.tsx';
import { rememberClockOff } from '../../../app/lib/hints.ts';
import { makeCode, readSigner } from '../../../server/rules/event-code.ts';
import { draw, fakeServer, json } from '../support.tsx';

const HOUR = 3_600_000;

test('a steward’s device whose clock is hours off shows the code of the server’s time', async () => {
  const noon = Date.parse('2026-11-21T12:00:30Z');
  vi.useFakeTimers({ now: noon - 3 * HOUR, toFake: ['Date'] });
  rememberClockOff(3 * HOUR);
  const privateKey = generateKeyPairSync('ed25519')
    .privateKey.export({ format: 'der', type: 'pkcs8' })
    .toString('base64url');
  const { typed } = await makeCode(await readSigner(privateKey), 't1', noon);
  const [startsAt, endsAt] = ['2026-11-21T11:00:00.000Z', '2026-11-21T13:00:00.000Z'];
  fakeServer().answer(() => json({ taskId: 't1', title: 'Meet', privateKey, publicKey: '', startsAt, endsAt }));
  await draw(<Steward communityId="c1" slug="one" taskId="t1" />);
  await screen.findByText(typed);
  expect(screen.queryByText(/not on now/)).toBeNull();
});
