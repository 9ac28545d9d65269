/**
 * Reads a facility that the browser may refuse. Blocked cookies, private windows, policies, frames and old engines
 * leave a facility out, or throw when it is constructed or merely read; the result is null then. A refusal in a promise
 * is not covered.
 */
export function refusable<T>(open: () => T): NonNullable<T> | null {
  try {
    return open() ?? null;
  } catch {
    return null;
  }
}
