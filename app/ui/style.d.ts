import 'react';

declare module 'react' {
  /** Custom properties of icon.css that components set. */
  interface CSSProperties {
    '--counted'?: string;
    '--pencilled'?: string;
  }
}
