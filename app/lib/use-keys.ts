import { useEffect, useRef } from 'react';

/**
 * Single-key shortcuts; `shift+a` means Shift with a letter. Ignored while a field has the focus, another modifier is
 * held, or a dialog is open.
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
      // Space presses the focused element; the open row has nothing to press.
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
