import { isDeepStrictEqual } from 'node:util';
import type { Route } from './route-table.ts';

/** In development and tests an answer that does not match its contract is an error. A build does not check. */
export function checkAnswer(route: Route, json: unknown): void {
  if (!import.meta.env.DEV) return;
  const sent: unknown = JSON.parse(JSON.stringify(json ?? null));
  const result = route.declaration.output?.safeParse(sent);
  if (!result) throw new Error(`${route.key} answers JSON but declares none`);
  if (!result.success) throw new Error(`${route.key} breaks its contract: ${JSON.stringify(result.error.issues)}`);
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(result.data ?? null)), sent)) {
    throw new Error(
      `${route.key} answers fields that its contract does not know: ${JSON.stringify(sent).slice(0, 2_000)}`,
    );
  }
}
