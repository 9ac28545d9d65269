/**
 * Whether a member hides from leagues and activity, as SQL; `person` is an expression for their id. Hiding holds in every
 * community alike (docs/decisions/boards.md).
 */
export const hiddenText = (person: string): string =>
  `exists (select from users hiding where hiding.id = ${person} and hiding.hidden_at is not null)`;
