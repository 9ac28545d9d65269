/**
 * SQL: whether a member hides from leagues and activity; `person` is an expression for their id. Hiding applies to
 * every community (docs/decisions/boards.md).
 */
export const hiddenText = (person: string): string =>
  `exists (select from users hiding where hiding.id = ${person} and hiding.hidden_at is not null)`;
