import { act, cleanup, render, screen } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { click, fakeServer } from './support.tsx';

/** The module keeps what the browser offered: each test begins with a page that has just been opened. */
async function freshPage() {
  vi.resetModules();
  const install = await import('../../app/features/install/install.ts');
  const { InstallCard } = await import('../../app/features/install/install-card.tsx');
  install.watchInstall();
  render(<InstallCard />);
}
type Prompt = Event & { prompt: () => Promise<void>; userChoice: Promise<{ outcome: string }> };
function offer(outcome: 'accepted' | 'dismissed'): Prompt {
  const event = new Event('beforeinstallprompt', { cancelable: true }) as Prompt;
  event.prompt = vi.fn(async () => undefined);
  event.userChoice = Promise.resolve({ outcome });
  act(() => void window.dispatchEvent(event));
  return event;
}
const card = () => screen.queryByRole('heading', { name: /on this device/ });
const press = async (name: string) => {
  await click(screen.getByRole('button', { name }));
};
const asDevice = (agent: string, standalone: boolean) => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(agent);
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: standalone && query.includes('standalone') }));
};
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1';

// The first import compiles them all: that is not the first test's time.
beforeAll(async () => void (await import('../../app/features/install/install-card.tsx')), 60_000);
beforeEach(() => {
  fakeServer();
  asDevice('Mozilla/5.0 (Linux; Android 15) Chrome/150', false);
});

test('nothing is offered until the browser offers; its own banner is held back', async () => {
  await freshPage();
  expect(card()).toBeNull();
  expect(offer('accepted').defaultPrevented).toBe(true);
  expect(card()).not.toBeNull();
});

test('an offer that came before the app was there is not lost', async () => {
  vi.stubGlobal('musterBoot', { offer: new Event('beforeinstallprompt') });
  await freshPage();
  expect(card()).not.toBeNull();
});

test('Install lets the browser ask, once', async () => {
  await freshPage();
  const event = offer('accepted');
  await press('Install');
  expect(event.prompt).toHaveBeenCalledTimes(1);
  expect(card()).toBeNull();
});

test("'Not now' hides it for this session, also after a reload and another offer", async () => {
  await freshPage();
  offer('accepted');
  await press('Not now');
  expect(card()).toBeNull();
  cleanup();
  await freshPage();
  offer('accepted');
  expect(card()).toBeNull();
  sessionStorage.clear();
  cleanup();
  await freshPage();
  offer('accepted');
  expect(card()).not.toBeNull();
});

test("declining the browser's own question counts as 'Not now'", async () => {
  await freshPage();
  offer('dismissed');
  await press('Install');
  offer('accepted');
  expect(card()).toBeNull();
});

test('hidden once installed, and where it runs installed already', async () => {
  await freshPage();
  offer('accepted');
  act(() => void window.dispatchEvent(new Event('appinstalled')));
  expect(card()).toBeNull();
  cleanup();
  asDevice('Mozilla/5.0 (Linux; Android 15) Chrome/150', true);
  await freshPage();
  offer('accepted');
  expect(card()).toBeNull();
});

test('an iPhone has no prompt: the steps by hand', async () => {
  asDevice(IPHONE, false);
  await freshPage();
  expect(screen.getAllByRole('listitem').map((step) => step.textContent)).toEqual([
    'Press Share in the browser’s bar.',
    'Choose “Add to Home Screen”.',
    'Press “Add”.',
  ]);
  expect(screen.queryByRole('button', { name: 'Install' })).toBeNull();
  await press('Not now');
  expect(card()).toBeNull();
});

describe('storage that the browser does not clear', () => {
  const persist = vi.fn(async () => true);
  beforeEach(() => {
    persist.mockClear();
    Object.defineProperty(navigator, 'storage', { configurable: true, value: { persist } });
  });

  test('is not asked for in a tab, nor while the card is shown or put away', async () => {
    await freshPage();
    offer('accepted');
    await press('Not now');
    expect(persist).not.toHaveBeenCalled();
  });
  test('is asked for once the app is installed', async () => {
    await freshPage();
    act(() => void window.dispatchEvent(new Event('appinstalled')));
    expect(persist).toHaveBeenCalled();
  });
  test('is asked for where it runs installed', async () => {
    asDevice('Mozilla/5.0 (Linux; Android 15) Chrome/150', true);
    await freshPage();
    expect(persist).toHaveBeenCalled();
  });
});

test('in the tab in which it was installed no later offer brings the card back', async () => {
  await freshPage();
  act(() => void window.dispatchEvent(new Event('appinstalled')));
  offer('accepted');
  expect(card()).toBeNull();
});
