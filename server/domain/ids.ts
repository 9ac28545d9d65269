const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a part of a path can be an id; anything else names nothing. */
export const isId = (text: string): boolean => UUID.test(text);

/** The ids in a JSON object: its fields `id` and `…Id`. Text in other fields is none, whatever it looks like. */
export const ownIds = (object: object): string[] =>
  Object.entries(object).flatMap(([field, value]) =>
    /^id$|Id$/.test(field) && typeof value === 'string' && isId(value) ? [value] : [],
  );

/** The same of all objects of a JSON value, each once. */
export function idsIn(json: unknown): string[] {
  const found = new Set<string>();
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if (!Array.isArray(value)) for (const id of ownIds(value)) found.add(id);
    for (const inner of Object.values(value)) look(inner);
  };
  look(json);
  return [...found];
}
