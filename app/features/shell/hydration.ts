import { reportCrash } from './crash.tsx';

/**
 * Logs for operators that a pre-rendered page differs from what the app renders. React redraws that part, which is a
 * flash at most, so nothing else would reveal it.
 */
export function reportMismatch(error: unknown, { componentStack }: { componentStack?: string | undefined }): void {
  reportCrash(error, componentStack ?? null, 'hydration');
}
