/** `/today`, where the installed app starts: it leads on by what this device remembers, before anything is asked. */
import { createMemoryHistory } from '@tanstack/react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forgetHints, rememberCommunity, rememberSignedIn } from '../../app/lib/hints.ts';
import { router } from '../../app/router.tsx';
import { START_PATH } from '../../server/contract/start-path.ts';

vi.mock('../../app/lib/device.ts', () => import('./quiet-device.ts'));

beforeEach(forgetHints);
afterEach(() => {
  forgetHints();
});

async function leadsTo(): Promise<string> {
  const history = createMemoryHistory({ initialEntries: ['/terms', START_PATH] });
  router.update({ history } as never);
  await router.load();
  return router.state.location.pathname;
}

test('opens the Today of the community seen last', async () => {
  rememberSignedIn('u1');
  rememberCommunity('walkers');
  expect(await leadsTo()).toBe('/community/walkers/dashboard');
});

test('opens the selector where no community was seen yet', async () => {
  rememberSignedIn('u1');
  expect(await leadsTo()).toBe('/community-selector');
});

test('asks the gate where nobody is signed in', async () => {
  rememberCommunity('walkers');
  expect(await leadsTo()).toBe('/');
});
