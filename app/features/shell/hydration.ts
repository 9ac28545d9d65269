import { reportCrash } from './crash.tsx';

/**
 * Tells ops that a page which came drawn differs from what the app draws there. React mends it by drawing that part anew;
 * nobody sees more than a flash, and nobody would otherwise hear of it.
 */
export function reportMismatch(error: unknown, { componentStack }: { componentStack?: string | undefined }): void {
  reportCrash(error, componentStack ?? null, 'hydration');
}
