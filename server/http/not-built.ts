import { Refusal } from './refusal.ts';

/** Handler of a declared route whose feature is not there yet; goes away with the last of them. */
export function notBuilt(): never {
  throw new Refusal(501, 'NOT_BUILT', 'This is not built yet.');
}
