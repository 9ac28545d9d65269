import { type RefObject, useEffect, useRef } from 'react';

const CONTROLS = 'a, button, input, select, textarea';

/**
 * Moves the focus when the focused row of a list disappears, through an action in it or in a sheet that it opened. It
 * goes to the row now at that index, else to the nearest row with a control, else to the first control around the list.
 * For a control beside the rows it goes to the first control in the nearest ancestor that remains. Rows are marked by
 * `data-row`; a nested list has its own.
 */
export function useListFocus<T extends HTMLElement>(): RefObject<T | null> {
  const around = useRef<T>(null);
  useEffect(() => {
    const list = around.current;
    if (list === null) return;
    list.dataset['rows'] = '';
    const rows = () =>
      [...list.querySelectorAll('[data-row]')].filter((row) => row.parentElement?.closest('[data-rows]') === list);
    /** Index of the focused row, or a control's ancestors beside the rows; null while the focus is elsewhere. */
    let position: number | Element[] | null = null;
    /** The list with the focus: this one, or one nested in a row. */
    let holder: Element | null = null;
    const note = ({ target }: Event) => {
      if (!(target instanceof Element) || target === list) return;
      // A sheet belongs to the row that opened it.
      const sheet = target.closest('dialog');
      if (sheet && !sheet.contains(list)) return;
      position = null;
      if (!list.contains(target) || !target.closest(CONTROLS)) return;
      holder = target.closest('[data-rows]');
      const row = rows().findIndex((one) => one.contains(target));
      position = row < 0 ? partsAround(target, list) : row;
    };
    const moveFocus = () => {
      const here = document.activeElement;
      if (position === null || (here !== document.body && here !== list)) return;
      if (holder !== list && holder?.isConnected) return;
      const controls = [...(typeof position === 'number' ? nearest(rows(), position) : position), list].map((part) =>
        part.isConnected ? part.querySelector<HTMLElement>(CONTROLS) : null,
      );
      const next = controls.find((one) => one !== null);
      // Without a control, the list itself takes the focus, so a screen reader stays here.
      if (next === undefined) list.tabIndex = -1;
      (next ?? list).focus({ preventScroll: true });
    };
    const changes = new MutationObserver(moveFocus);
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

/** The rows from an index on, then those before it, the nearest first. */
const nearest = (rows: Element[], position: number): Element[] => [
  ...rows.slice(position),
  ...rows.slice(0, position).reverse(),
];

function partsAround(target: Element, list: Element): Element[] {
  const parts: Element[] = [];
  for (let part = target.parentElement; part !== null && part !== list; part = part.parentElement) parts.push(part);
  return parts;
}
