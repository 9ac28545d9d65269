/** Generated at build time by `server/build/safe-words.ts`. */
declare module 'virtual:safe-words' {
  /** Messages without parameters that are short enough for a label, one a line. */
  export const labels: string;
  /** Fixed parts of the API's addresses, between slashes. */
  export const segments: string;
}
