import { product } from '../lib/product.ts';
import { m } from '../paraglide/messages.js';
import { Loader } from './states.tsx';

/** The first load: the logo draws itself, full screen. */
export function LoaderScreen() {
  const words = m.shell_opening({ product: product.name });
  return (
    <main id="main" tabIndex={-1} className="full-height" aria-busy="true">
      <h1 className="visually-hidden">{words}</h1>
      <Loader label={words} />
    </main>
  );
}
