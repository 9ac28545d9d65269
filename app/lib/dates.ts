/** Instants as `<input type="datetime-local">` writes them: the device's own clock, to the minute. */
const two = (value: number): string => String(value).padStart(2, '0');

/** `2026-11-21T09:30` for an instant; empty for null. */
export function toLocal(at: string | null): string {
  if (at === null) return '';
  const date = new Date(at);
  // A year that is being typed has one digit at first; the field takes none but four.
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The instant that was written, ISO 8601, or null where none was or it is no date. */
export function fromLocal(text: string): string | null {
  const date = new Date(text);
  return text === '' || Number.isNaN(date.getTime()) ? null : date.toISOString();
}
