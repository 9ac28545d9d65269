/** Instants as `<input type="datetime-local">` writes them: device time, to the minute. */
const two = (value: number): string => String(value).padStart(2, '0');

/** `2026-11-21T09:30` for an instant; empty for null. */
export function toLocal(at: string | null): string {
  if (at === null) return '';
  const date = new Date(at);
  // A year has one digit while it is being typed, but the field takes only four.
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The entered instant, ISO 8601; null for an empty or invalid one. */
export function fromLocal(text: string): string | null {
  const date = new Date(text);
  return text === '' || Number.isNaN(date.getTime()) ? null : date.toISOString();
}
