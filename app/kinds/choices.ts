/** Of the options that it has, the texts of those with these `ids`. */
export const textsOf = (options: readonly { id: string; text: string }[], ids: readonly string[]): string[] =>
  options.filter(({ id }) => ids.includes(id)).map(({ text }) => text);
