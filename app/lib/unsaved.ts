/** What a person has written on this page and neither sent nor cleared yet. A reload would lose it. */
type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const touched = new Set<Field>();

function note({ target }: Event): void {
  // What is typed to find something is no work of anybody's.
  const isField = target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
  if (isField || (target instanceof HTMLInputElement && target.type !== 'search')) touched.add(target);
}
// None is there while pages are drawn at the build.
globalThis.document?.addEventListener('input', note, true);

/** A field that left the page was sent or given up, and one that is empty again holds nothing. */
export function hasUnsavedInput(): boolean {
  for (const field of touched) if (!field.isConnected || field.value === '') touched.delete(field);
  return touched.size > 0;
}
