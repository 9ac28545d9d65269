import type { FileType } from './shape.ts';

const PDF_HEAD = /^%PDF-[12]\.\d/;
/** Readers look for the end of a PDF in its last kilobyte. */
const PDF_END_WITHIN = 1_024;
/** Control characters that no text has; a form feed ends a page. */
const NO_TEXT = /[^\P{Cc}\n\r\t\f]/u;

/** Reads bytes one by one as Latin-1, without a limit on how many. */
const latin1 = (bytes: Uint8Array): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');

/** What bytes are by their content, whatever they are called; null for what is neither a whole PDF nor text in UTF-8. */
export function fileTypeOf(bytes: Uint8Array): FileType | null {
  if (PDF_HEAD.test(latin1(bytes.subarray(0, 8))))
    return latin1(bytes.subarray(-PDF_END_WITHIN)).includes('%%EOF') ? 'application/pdf' : null;
  const text = textIn(bytes);
  return text !== null && text.trim() !== '' && !NO_TEXT.test(text) ? 'text/plain' : null;
}

function textIn(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
