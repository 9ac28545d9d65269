/** Numbers of moving in from elsewhere (`limits.ts` has those of all else). */

/** Of a file; its lines, columns and the characters of one cell. */
export const IMPORT_BYTES = 6_000_000;
export const IMPORT_LINES = 100_000;
export const IMPORT_COLUMNS = 64;
export const IMPORT_CELL_MAX = 2_000;
export const IMPORT_FILE_NAME_MAX = 200;
export const IMPORT_POINTS_MAX = 10_000_000;
export const IMPORT_TASKS_MAX = 200;
/** People whom the communities of one founder move in, in all, while no administrator lets them move in more. */
export const IMPORT_LINES_FIRST = 500;
/** Of one community, those that were undone apart. */
export const IMPORTS_PER_COMMUNITY = 50;
/** Files that wait in one process to be read, or are. */
export const IMPORTS_WAITING_MAX = 4;
export const IMPORT_UNDO_MS = 7 * 24 * 60 * 60_000;
/** A person of whom the file has the Telegram id is waited for so long, one who is only named for less: names change hands. */
export const IMPORT_ID_WAITS_MS = 365 * 24 * 60 * 60_000;
export const IMPORT_NAME_WAITS_MS = 90 * 24 * 60 * 60_000;
/** Communities that are offered to a person at once, the latest first. */
export const OFFERS_SHOWN = 20;
/** A name that an account has is believed for so long after Telegram itself last said it. */
export const IMPORT_NAME_FRESH_MS = 30 * 24 * 60 * 60_000;
