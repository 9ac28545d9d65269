import 'react';

declare module 'react' {
  /** Custom properties of icon.css that a component sets by itself. */
  interface CSSProperties {
    '--counted'?: string;
    '--pencilled'?: string;
  }
}
