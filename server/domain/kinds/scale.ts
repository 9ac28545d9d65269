import type { ScaleAsk, ScaleEvidence, ScaleSetup } from '../../contract/kind-scale.ts';
import { line } from '../text.ts';
import { accepted, type Judged } from './judged.ts';

export const checkScale = (setup: ScaleSetup): ScaleSetup => ({
  ...setup,
  low: line('setup.low', setup.low),
  high: line('setup.high', setup.high),
});

export const askScale = ({ kind, low, high }: ScaleSetup): ScaleAsk => ({ kind, low, high });

/** Every opinion counts. */
export const judgeScale = (evidence: ScaleEvidence): Judged => accepted(evidence, false);
