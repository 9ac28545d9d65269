/** Options of a quiz's questions and of polls. */

/** An id for a question or an option, unique within a setup. */
export const newId = (): string => crypto.randomUUID().slice(0, 8);
export const newOption = () => ({ id: newId(), text: '' });
export function newQuestion() {
  const right = newOption();
  return { id: newId(), text: '', options: [right, newOption()], correct: [right.id] };
}

export const textsOf = (options: readonly { id: string; text: string }[], ids: readonly string[]): string[] =>
  options.filter(({ id }) => ids.includes(id)).map(({ text }) => text);
