/**
 * Places in storage that `/boot.js` shares with the app. It runs before any module and can import nothing: the build
 * writes them into it (`server/build/boot.ts`).
 */
export const BOOT_KEYS = {
  /** Mirror of the theme, for the first paint. */
  theme: 'muster-theme',
  /** Errors of a start that failed and could not be sent. */
  early: 'muster-early',
  /** A sign-out that the server does not know of yet. */
  signOutOwed: 'muster-sign-out-owed',
  /** For this tab: the start failed, and the app's files were fetched past the browser's cache. */
  refetched: 'muster-refetched',
} as const;
