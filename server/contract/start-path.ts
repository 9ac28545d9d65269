/**
 * Where the installed app starts: Today of the last community. Separate from `pages.ts`, which the first page does not
 * need.
 */
export const START_PATH = '/today';
