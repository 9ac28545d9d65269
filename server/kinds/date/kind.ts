import { HttpError } from '../../base/http-error.ts';
import type { ErrorDetails } from '../../contract/refusals.ts';
import { accepted, invalid } from '../judged.ts';
import type { Kind } from '../kind.ts';
import { dateProblem } from './rules.ts';

export const date: Kind<'date'> = {
  check(setup) {
    const { earliest, latest } = setup;
    if (earliest !== null && latest !== null && earliest > latest)
      invalid('setup.latest', 'order', 'must not lie before the earliest');
    return setup;
  },
  ask: ({ kind, earliest, latest }) => ({ kind, earliest, latest }),
  judge({ earliest, latest, review }, evidence) {
    const problem = dateProblem({ earliest, latest }, evidence.date);
    if (problem === null) return accepted(evidence, review);
    const message = problem === 'early' ? `Send a date from ${earliest} on.` : `Send a date up to ${latest}.`;
    throw new HttpError(422, 'DATE_NOT_ALLOWED', message, {
      details: { field: 'date', earliest, latest, problem } satisfies ErrorDetails['DATE_NOT_ALLOWED'],
    });
  },
  compared: ({ date }) => date,
  exported: ({ date }) => date,
  imported: { bare: () => ({ kind: 'date', earliest: null, latest: null, review: true }) },
};
