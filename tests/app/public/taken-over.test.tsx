/** What is drawn at the build is taken over by every device as it stands: what is the device's own comes after that. */
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router';
import { act, type ReactNode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HowToUseScreen } from '../../../app/features/guides/how-to-use-screen.tsx';
import { LearnMoreScreen } from '../../../app/features/guides/learn-more-screen.tsx';
import { LandingScreen } from '../../../app/features/landing/landing-screen.tsx';
import { LegalScreen } from '../../../app/features/legal/legal-screen.tsx';
import { createQueryClient, userQuery } from '../../../app/lib/query.ts';
import { fakeServer, refusal } from '../support.tsx';

const BUILD = { wide: false, agent: 'Node.js' };
const DEVICES = [
  { name: 'a computer', wide: true, agent: 'Mozilla/5.0 (X11; Linux x86_64)' },
  { name: 'an iPhone', wide: false, agent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X)' },
];
const SCREENS: readonly [string, () => ReactNode][] = [
  ['the landing', () => <LandingScreen />],
  ['how to use it', () => <HowToUseScreen />],
  ['how it works', () => <LearnMoreScreen />],
  ['the privacy policy', () => <LegalScreen page="privacy" />],
];

const media = vi.hoisted(() => ({ wide: false }));
beforeEach(() => {
  fakeServer().answer(() => refusal(401, 'NOT_SIGNED_IN'));
  vi.stubGlobal('matchMedia', () => ({
    get matches() {
      return media.wide;
    },
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
});
afterEach(() => {
  document.body.replaceChildren();
});

function on({ wide, agent }: typeof BUILD): void {
  media.wide = wide;
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(agent);
}
async function around(screen: ReactNode): Promise<ReactNode> {
  const client = createQueryClient();
  client.setQueryData(userQuery.queryKey, null);
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });
  await router.load();
  return (
    <QueryClientProvider client={client}>
      <RouterContextProvider router={router as never}>{screen}</RouterContextProvider>
    </QueryClientProvider>
  );
}

for (const device of DEVICES)
  test.each(SCREENS)(`%s, on ${device.name}`, async (_, screen) => {
    on(BUILD);
    const place = document.body.appendChild(document.createElement('div'));
    place.innerHTML = renderToString(await around(screen()));
    on(device);
    const mismatches: unknown[] = [];
    const whole = await around(screen());
    const onRecoverableError = (error: unknown) => mismatches.push(error);
    const root = await act(async () => hydrateRoot(place, whole, { onRecoverableError }));
    expect(mismatches.map(String)).toEqual([]);
    await act(() => root.unmount());
  });
