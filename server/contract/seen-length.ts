/** Signs that add to the one before them or show nothing: marks, joiners, shapers, what directs. */
const NO_SIGN_OF_ITS_OWN = /[\p{M}\p{Default_Ignorable_Code_Point}]/gu;
/** Braille's empty cell is a blank to the eye. */
const BLANKS = /[\s\p{Z}\u2800]+/gu;

/**
 * Visible characters of a text, in code points: a letter with its accents is one, and so is a run of blanks; invisible
 * characters and blanks around the text do not count.
 */
export const seenLength = (text: string): number =>
  [...text.normalize('NFC').replace(NO_SIGN_OF_ITS_OWN, '').replace(BLANKS, ' ').trim()].length;
