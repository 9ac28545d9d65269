declare const __BUILD__: string;

/** Name of this build: 12 hex digits of what it was made from. Replaced by the bundler. */
export const build = __BUILD__;
