import type { Runtime } from '../../base/runtime.ts';
import type { CheckName, Checks } from '../../contract/overview.ts';

export type Facts<N extends CheckName> = NonNullable<Checks[N]['facts']>;

/** What one check found. `figure` is what its days are drawn by. */
export type Found<N extends CheckName> = {
  state: 'fine' | 'attention' | 'failed';
  facts: Facts<N>;
  figure: number | null;
};
export type Check<N extends CheckName> = (runtime: Runtime) => Promise<Found<N>>;

export const iso = (at: Date | null): string | null => at?.toISOString() ?? null;
/** The worse of a check's two findings goes first. */
export const stateOf = ({ failed, attention }: { failed: boolean; attention: boolean }): Found<'disk'>['state'] =>
  failed ? 'failed' : attention ? 'attention' : 'fine';
