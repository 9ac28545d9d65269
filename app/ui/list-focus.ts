import { type RefObject, useEffect, useRef } from 'react';

const CONTROLS = 'a, button, input, select, textarea';

/**
 * Around a list whose rows go away by what is done in them, or in a sheet that they opened: whoever had the focus there goes on
 * at the row that is now in that place, or at the nearest one with something to press, and where no row is left at the first
 * thing to press around them; for what stands beside the rows, at the first thing in the nearest part around it that is
 * still there. Rows are named by `data-row`; a list within a row has its own.
 */
export function useListFocus<T extends HTMLElement>(): RefObject<T | null> {
  const around = useRef<T>(null);
  useEffect(() => {
    const list = around.current;
    if (list === null) return;
    list.dataset['rows'] = '';
    const rows = () =>
      [...list.querySelectorAll('[data-row]')].filter((row) => row.parentElement?.closest('[data-rows]') === list);
    /** The row that had the focus, or the parts around what had it beside the rows; null while it is elsewhere. */
    let place: number | Element[] | null = null;
    /** The list that it was in: this one, or one within a row. */
    let holder: Element | null = null;
    const note = ({ target }: Event) => {
      if (!(target instanceof Element) || target === list) return;
      // What is done in a sheet is done for the row that opened it.
      const sheet = target.closest('dialog');
      if (sheet && !sheet.contains(list)) return;
      place = null;
      if (!list.contains(target) || !target.closest(CONTROLS)) return;
      holder = target.closest('[data-rows]');
      const row = rows().findIndex((one) => one.contains(target));
      place = row < 0 ? partsAround(target, list) : row;
    };
    const goOn = () => {
      const here = document.activeElement;
      if (place === null || (here !== document.body && here !== list)) return;
      if (holder !== list && holder?.isConnected) return;
      const controls = [...(typeof place === 'number' ? nearest(rows(), place) : place), list].map((part) =>
        part.isConnected ? part.querySelector<HTMLElement>(CONTROLS) : null,
      );
      const next = controls.find((one) => one !== null);
      // Nothing to press yet: a reader stays where it is, and goes on from there.
      if (next === undefined) list.tabIndex = -1;
      (next ?? list).focus({ preventScroll: true });
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

/** The rows from a place on, then those before it, the nearest first. */
const nearest = (rows: Element[], place: number): Element[] => [
  ...rows.slice(place),
  ...rows.slice(0, place).reverse(),
];

function partsAround(target: Element, list: Element): Element[] {
  const parts: Element[] = [];
  for (let part = target.parentElement; part !== null && part !== list; part = part.parentElement) parts.push(part);
  return parts;
}
