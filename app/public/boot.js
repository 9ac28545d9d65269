/* Runs before the first paint: the theme, the words for a start that fails, and the app's start behind a drawn page. */
(() => {
  const root = document.documentElement;
  let theme = null;
  try {
    theme = localStorage.getItem('muster-theme');
  } catch {
    // Storage is refused: the default it is.
  }
  const dark = theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.dataset.theme = dark ? 'dark' : 'light';
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', dark ? '#0F1714' : '#F3F3EB');

  const onFailure = (event) => {
    if (root.dataset.started !== undefined) return;
    // A picture or a font that does not load is no failed start; a script is, and so is an error in one.
    if (event.target instanceof Element && !(event.target instanceof HTMLScriptElement)) return;
    const place = document.getElementById('root');
    if (!place) return;
    const words = document.createElement('main');
    words.className = 'state full';
    words.setAttribute('role', 'alert');
    const heading = document.createElement('h1');
    heading.textContent = 'Loading error. Please refresh the page.';
    words.append(heading);
    place.replaceChildren(words);
  };
  addEventListener('error', onFailure, true);
  addEventListener('unhandledrejection', onFailure);

  // A page that came drawn is painted first. `data-parts`: the app's entry, then what this page needs besides.
  const [entry, ...parts] = document.currentScript.dataset.parts?.split(' ') ?? [];
  if (entry === undefined) return;
  const start = () => {
    for (const href of parts)
      document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
    void import(entry);
  };
  // Nothing is painted in a tab that nobody sees.
  const afterPaint = () => (document.hidden ? start() : requestAnimationFrame(() => setTimeout(start)));
  addEventListener('DOMContentLoaded', afterPaint);
})();
