import { useEffect, useRef } from 'react';

/**
 * Restores the focus when a pressed card changes, such as from button to link, or moves to another list. Cards are
 * marked by `data-card`; call where their lists are drawn.
 */
export function useRestoredFocus(): void {
  const card = useRef<string | null>(null);
  useEffect(() => {
    // A sheet belongs to the card that opened it.
    const note = ({ target }: Event) => {
      if (!(target instanceof Element) || target.closest('dialog')) return;
      card.current = target.closest('[data-card]')?.getAttribute('data-card') ?? null;
    };
    document.addEventListener('focusin', note);
    document.addEventListener('pointerdown', note);
    return () => {
      document.removeEventListener('focusin', note);
      document.removeEventListener('pointerdown', note);
    };
  }, []);
  useEffect(() => {
    if (card.current === null || document.activeElement !== document.body) return;
    const element = document.querySelector(`[data-card="${card.current}"]`);
    const control =
      element?.querySelector<HTMLElement>('[data-focus]') ?? element?.querySelector<HTMLElement>('a, button');
    control?.focus({ preventScroll: true });
  });
}
