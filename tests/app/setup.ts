import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, vi } from 'vitest';
import { signedInCookie } from '../../server/contract/sw-messages.ts';
import { beginPage } from './page.ts';

// What is waited for comes or does not; how soon depends on the machine.
configure({ asyncUtilTimeout: 10_000 });

afterAll(beginPage());
// Each test has its own clock, network and storage. What it drew goes first: it may still use them.
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  localStorage.clear();
  sessionStorage.clear();
});
// Whoever looks at a page has signed in once, where a test does not say otherwise: a visitor's page asks for little.
// biome-ignore lint/suspicious/noDocumentCookie: the page reads this very place
document.cookie = `${signedInCookie(false)}=1`;
