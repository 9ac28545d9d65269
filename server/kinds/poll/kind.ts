import { line } from '../../domain/text.ts';
import { approved, areDistinct, invalid, notWanted } from '../judged.ts';
import type { Kind } from '../kind.ts';

export const poll: Kind<'poll'> = {
  check(setup) {
    if (!areDistinct(setup.choices)) invalid('setup.choices', 'twice', 'two choices have the same id');
    return { ...setup, choices: setup.choices.map(({ id, text }) => ({ id, text: line('setup.choices', text) })) };
  },
  ask: ({ kind, choices, multiple }) => ({ kind, choices, multiple }),
  judge({ choices, multiple }, evidence) {
    const { optionIds } = evidence;
    const isKnown = optionIds.every((id) => choices.some((choice) => choice.id === id));
    const counts = new Set(optionIds).size === optionIds.length && (multiple || optionIds.length === 1);
    if (!isKnown || !counts) throw notWanted();
    return approved(evidence);
  },
  compared: ({ optionIds }) => optionIds.toSorted().join(' '),
  tally: { options: ({ choices }) => choices.map(({ id }) => id), chosen: ({ optionIds }) => optionIds },
  exported: ({ optionIds }, { choices }) =>
    choices
      .filter(({ id }) => optionIds.includes(id))
      .map(({ text }) => text)
      .join('; '),
};
