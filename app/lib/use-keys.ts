import { useEffect, useRef } from 'react';

/**
 * Single keys for who works fast, `shift+a` with Shift for letters alone; left alone while somebody types, holds another key
 * down, or a dialog is open.
 */
export function useKeys(keys: Record<string, () => unknown>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      const target = event.target instanceof Element ? event.target : null;
      if (target?.closest('input:not([type=checkbox]), textarea, select, dialog')) return;
      if (document.querySelector('dialog[open]')) return;
      const key = event.key.toLowerCase();
      // Space presses what has the focus; the row that is open has nothing to press.
      if (key === ' ' && target?.closest('button:not([aria-current]), a, input, summary')) return;
      const handler = latest.current[event.shiftKey && /^[a-z]$/.test(key) ? `shift+${key}` : key];
      if (!handler) return;
      event.preventDefault();
      handler();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
