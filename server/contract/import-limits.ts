/** Numbers of moving in from elsewhere (`limits.ts` has those of all else). */

/** Limits of a file: bytes, lines, columns and characters of a cell. */
export const IMPORT_BYTES = 6_000_000;
export const IMPORT_LINES = 100_000;
export const IMPORT_COLUMNS = 64;
export const IMPORT_CELL_MAX = 2_000;
export const IMPORT_FILE_NAME_MAX = 200;
export const IMPORT_POINTS_MAX = 10_000_000;
export const IMPORT_TASKS_MAX = 200;
/** People whom all communities of one founder may import until an administrator allows more. */
export const IMPORT_LINES_FIRST = 500;
/** Per community, not counting those that were undone. */
export const IMPORTS_PER_COMMUNITY = 50;
/** Files that wait in one process to be read, or are. */
export const IMPORTS_WAITING_MAX = 4;
export const IMPORT_UNDO_MS = 7 * 24 * 60 * 60_000;
/**
 * How long an import waits for a person: longer with a Telegram id, shorter with only a name, because names change
 * owners.
 */
export const IMPORT_ID_WAITS_MS = 365 * 24 * 60 * 60_000;
export const IMPORT_NAME_WAITS_MS = 90 * 24 * 60 * 60_000;
/** Communities that are offered to a person at once, the latest first. */
export const OFFERS_SHOWN = 20;
/** How long an account's name is trusted after Telegram last reported it. */
export const IMPORT_NAME_FRESH_MS = 30 * 24 * 60 * 60_000;

/**
 * How a file's letters are written, by the names of the Encoding Standard (encoding.spec.whatwg.org), which browsers and Node
 * share. Of several that fit a file equally well, the earlier one is the likelier.
 */
export const ENCODINGS = [
  ...[
    'utf-8',
    'windows-1251',
    'windows-1252',
    'utf-16le',
    'utf-16be',
    'shift_jis',
    'gb18030',
    'euc-kr',
    'big5',
    'euc-jp',
  ],
  ...['iso-2022-jp', 'windows-1250', 'windows-1253', 'windows-1254', 'windows-1255', 'windows-1256', 'windows-1257'],
  ...['windows-1258', 'windows-874', 'koi8-u', 'ibm866', 'macintosh', 'x-mac-cyrillic', 'iso-8859-2', 'iso-8859-5'],
  ...['iso-8859-7'],
] as const;
export type Encoding = (typeof ENCODINGS)[number];
