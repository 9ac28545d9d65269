import { type RefObject, useEffect, useRef } from 'react';

/**
 * Around a list whose rows go away by what is done in them, or in a sheet that they opened: whoever had the focus there goes on
 * at the row that is now in that place, or at the first thing to press where no row is left. Rows are named by `data-row`.
 */
export function useListFocus<T extends HTMLElement>(): RefObject<T | null> {
  const around = useRef<T>(null);
  useEffect(() => {
    const list = around.current;
    if (list === null) return;
    const rows = () => [...list.querySelectorAll('[data-row]')];
    let place = -1;
    const note = ({ target }: Event) => {
      // What is done in a sheet is done for the row that opened it.
      if (!(target instanceof Element) || target.closest('dialog')) return;
      const row = list.contains(target) ? target.closest('[data-row]') : null;
      place = row === null ? -1 : rows().indexOf(row);
    };
    const goOn = () => {
      if (place < 0 || document.activeElement !== document.body) return;
      const left = rows();
      const next = left[Math.min(place, left.length - 1)] ?? list;
      next.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true });
    };
    const changes = new MutationObserver(goOn);
    changes.observe(list, { childList: true, subtree: true });
    document.addEventListener('focusin', note);
    document.addEventListener('pointerdown', note);
    return () => {
      changes.disconnect();
      document.removeEventListener('focusin', note);
      document.removeEventListener('pointerdown', note);
    };
  }, []);
  return around;
}
