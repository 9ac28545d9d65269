import 'react';

declare module 'react' {
  /** Custom properties of look.css that a component sets by itself. */
  interface CSSProperties {
    '--p'?: string;
    '--q'?: string;
  }
}
