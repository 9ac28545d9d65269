import { flushSync } from 'react-dom';

/**
 * Draws what is wrong in a form and leads to the first of it: on a phone it may lie far above the button that was pressed,
 * or in a folded part.
 */
export function showWrong(form: HTMLElement, tell: () => void): void {
  flushSync(tell);
  const wrong = form.querySelector<HTMLElement>('[aria-invalid=true], [role=alert]');
  const folded = wrong?.closest('details');
  if (folded) folded.open = true;
  wrong?.focus();
  wrong?.scrollIntoView({ block: 'center' });
}
