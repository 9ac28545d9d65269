import { dateProblem, numberProblem } from '../../../../server/contract/kind-rules.ts';
import { SCALE_LABEL_MAX, WEBHOOK_URL_MAX } from '../../../../server/contract/limits.ts';
import type { TaskAsk, TaskSetup } from '../../../../server/contract/tasks.ts';

/** Kinds whose parts of the editor are here and in `kind-fields.tsx`. */
export type MoreKind = 'number' | 'date' | 'scale' | 'file' | 'partner';
const MORE: ReadonlySet<string> = new Set(['number', 'date', 'scale', 'file', 'partner'] satisfies MoreKind[]);
export const isMore = (setup: TaskSetup): setup is MoreSetup => MORE.has(setup.kind);
export type MoreSetup = Extract<TaskSetup, { kind: MoreKind }>;
export type MoreProblem = 'number_bounds' | 'number_expected' | 'date_order' | 'scale_ends' | 'partner_url';

export function emptyMore(kind: MoreKind): MoreSetup {
  switch (kind) {
    case 'number':
      return { kind, unit: '', min: 0, max: null, decimals: 0, review: true };
    case 'date':
      return { kind, earliest: null, latest: null, review: true };
    case 'scale':
      return { kind, low: '', high: '' };
    case 'file':
      return { kind };
    case 'partner':
      return { kind, url: 'https://', asks: '' };
  }
}

export function moreProblems(setup: MoreSetup): MoreProblem[] {
  switch (setup.kind) {
    case 'number': {
      if (setup.min !== null && setup.max !== null && setup.min > setup.max) return ['number_bounds'];
      const isOff = setup.expected && numberProblem(setup, setup.expected.value) !== null;
      return isOff ? ['number_expected'] : [];
    }
    case 'date':
      return setup.latest !== null && dateProblem({ ...setup, latest: null }, setup.latest) ? ['date_order'] : [];
    case 'scale': {
      const isSaid = (label: string) => label.trim() !== '' && label.length <= SCALE_LABEL_MAX;
      return isSaid(setup.low) && isSaid(setup.high) ? [] : ['scale_ends'];
    }
    case 'file':
      return [];
    case 'partner':
      return isPartner(setup.url.trim()) ? [] : ['partner_url'];
  }
}

function isPartner(text: string): boolean {
  if (text.length > WEBHOOK_URL_MAX || !URL.canParse(text)) return false;
  const { protocol, port, hostname } = new URL(text);
  return protocol === 'https:' && port === '' && hostname.includes('.');
}

/** Without the blanks that people leave. */
export function tidyMore(setup: MoreSetup): MoreSetup {
  switch (setup.kind) {
    case 'number':
      return { ...setup, unit: setup.unit.trim() };
    case 'scale':
      return { ...setup, low: setup.low.trim(), high: setup.high.trim() };
    case 'partner':
      return { ...setup, url: setup.url.trim(), asks: setup.asks.trim() };
    default:
      return setup;
  }
}

/** What a member is asked. */
export function askOfMore({ kind, url, asks }: Extract<MoreSetup, { kind: 'partner' }>): TaskAsk {
  return { kind, host: URL.canParse(url) ? new URL(url).host : '', asks };
}
