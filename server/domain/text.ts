import { Refusal } from '../http/refusal.ts';

/** Control characters, and those that turn the reading order around: a name must not rearrange the line it stands in. */
const NOT_IN_A_LINE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;
const NOT_IN_TEXT = /[^\P{Cc}\n\t]|[\u202a-\u202e]/u;

function refuse(field: string): never {
  const message = `${field}: contains characters that cannot be shown`;
  throw new Refusal(400, 'INVALID_INPUT', message, { details: { problems: [{ field, message }] } });
}

/** One line of people's text as it is. Throws 400 `INVALID_INPUT` on line breaks, control and reordering characters. */
export function line(field: string, value: string): string {
  return NOT_IN_A_LINE.test(value) ? refuse(field) : value;
}

/** Several lines of people's text, with line breaks as `\n`. Throws 400 `INVALID_INPUT` on control characters. */
export function prose(field: string, value: string): string {
  const text = value.replaceAll('\r\n', '\n');
  return NOT_IN_TEXT.test(text) ? refuse(field) : text;
}
