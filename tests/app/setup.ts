import { configure } from '@testing-library/react';
import { signedInCookie } from '../../server/contract/sw-messages.ts';

// What is waited for comes or does not; how soon depends on the machine.
configure({ asyncUtilTimeout: 10_000 });

// Whoever looks at a page has signed in once, where a test does not say otherwise: a visitor's page asks for little.
if (typeof document !== 'undefined') {
  // biome-ignore lint/suspicious/noDocumentCookie: the page reads this very place
  document.cookie = `${signedInCookie(false)}=1`;
}
