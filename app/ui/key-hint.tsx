import './key-hint.css';

/** The shortcut key, printed on its button where there is a keyboard; elsewhere announced by `aria-keyshortcuts`. */
export const KeyHint = ({ keys }: { keys: string }) => (
  <span className="key-hint" aria-hidden="true">
    <kbd>{keys}</kbd>
  </span>
);
