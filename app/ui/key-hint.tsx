import './key-hint.css';

/** The key that does the same, printed on its button where there is a keyboard; told to others by `aria-keyshortcuts`. */
export const KeyHint = ({ keys }: { keys: string }) => (
  <span className="key-hint" aria-hidden="true">
    <kbd>{keys}</kbd>
  </span>
);
