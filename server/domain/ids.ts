const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a piece of a path can be an id at all; anything else names nothing. */
export const isId = (text: string): boolean => UUID.test(text);
