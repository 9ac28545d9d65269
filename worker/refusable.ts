/**
 * The door to what a browser may refuse. Blocked cookies, private windows, policies, frames and old engines leave a facility
 * out, or throw at its construction or at the mere look at it: then it is null here, and whoever asked has something else to
 * do. Of a browser that refuses later, in a promise, the caller hears as ever.
 */
export function refusable<T>(open: () => T): NonNullable<T> | null {
  try {
    return open() ?? null;
  } catch {
    return null;
  }
}
