/** Fields on this page with unsent input, which a reload would lose. */
type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const touched = new Set<Field>();

function note({ target }: Event): void {
  // A search text is not worth keeping.
  const isField = target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
  if (isField || (target instanceof HTMLInputElement && target.type !== 'search')) touched.add(target);
}
// Pre-rendering has no document.
globalThis.document?.addEventListener('input', note, true);

/** A field that left the page was sent or abandoned; an empty one holds nothing. */
export function hasUnsavedInput(): boolean {
  for (const field of touched) if (!field.isConnected || field.value === '') touched.delete(field);
  return touched.size > 0;
}
