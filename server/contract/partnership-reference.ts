/** `P-1F3A-90BC` of the id that a partnership request was given by its device: known before anything is sent. */
export function referenceOf(id: string): string {
  const digits = id.replaceAll('-', '').toUpperCase();
  return `P-${digits.slice(0, 4)}-${digits.slice(4, 8)}`;
}
