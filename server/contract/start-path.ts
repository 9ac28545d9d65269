/** Where the installed app starts: at the Today of the community seen last. Apart from `pages.ts`, of which a first page needs nothing. */
export const START_PATH = '/today';
