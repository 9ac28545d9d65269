/** The reference `P-1F3A-90BC` of a partnership request, from the id that its device made: known before it is sent. */
export function referenceOf(id: string): string {
  const digits = id.replaceAll('-', '').toUpperCase();
  return `P-${digits.slice(0, 4)}-${digits.slice(4, 8)}`;
}
