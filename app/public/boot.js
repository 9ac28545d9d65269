/* Runs before the first paint: the theme, the words for a start that fails, and the errors of before the app listens. */
(() => {
  // The build and the development server put them in (server/build/boot.ts).
  const KEYS = __BOOT_KEYS__;
  const root = document.documentElement;
  let theme = null;
  try {
    theme = localStorage.getItem(KEYS.theme);
  } catch {
    // Storage is refused: the default it is.
  }
  const dark = theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.dataset.theme = dark ? 'dark' : 'light';
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', dark ? '#0F1714' : '#F3F3EB');

  const MOST = 50;
  const GIVE_UP_MS = 10_000;
  const early = [];
  let missed = 0;
  let timer = 0;

  /** What happened, or null for what is no failure: a picture or a font that does not load. */
  const thrownBy = (event) => {
    if (event.type === 'unhandledrejection') return { thrown: event.reason };
    const { target } = event;
    if (!(target instanceof Element)) return { thrown: event.error ?? event.message ?? 'unknown' };
    return target instanceof HTMLScriptElement ? { thrown: `Could not load ${target.src}` } : null;
  };
  const onFailure = (event) => {
    const heard = thrownBy(event);
    if (!heard) return;
    if (early.length < MOST) early.push({ ...heard, source: 'start', at: Date.now() });
    else missed += 1;
    if (root.dataset.started === undefined) {
      showFailure();
      if (event.target instanceof HTMLScriptElement) void refetch();
    }
    timer ||= setTimeout(sendAlone, GIVE_UP_MS);
  };
  /** What is asked past the browser's cache once is asked so again when it fails another day. */
  const started = () => {
    try {
      sessionStorage.removeItem(KEYS.refetched);
    } catch {
      // Storage is refused: nothing was written there.
    }
  };
  const stop = () => {
    clearTimeout(timer);
    removeEventListener('error', onFailure, true);
    removeEventListener('unhandledrejection', onFailure);
  };
  /**
   * A hotel's page may stand in the browser's own cache in the place of one of the app's files, for as long as that would. What
   * was asked for is fetched past that cache, once, and the page starts anew.
   */
  const refetch = async () => {
    try {
      if (sessionStorage.getItem(KEYS.refetched) !== null) return;
      sessionStorage.setItem(KEYS.refetched, '1');
    } catch {
      // Whether it was done before cannot be known: a page that starts anew for ever is worse.
      return;
    }
    const named = [...document.querySelectorAll('script[src], link[href]')].map(({ src, href }) => src ?? href);
    const files = [...named, ...(entry ? [new URL(entry, location.href).href] : [])].filter((url) =>
      url.startsWith(`${location.origin}/assets/`),
    );
    const asked = files.map((url) => fetch(url, { cache: 'reload' }).catch(() => null));
    const answers = await Promise.all(asked);
    if (files.length === 0 || !answers.every((answer) => answer && isTaken(answer))) return;
    sendAlone();
    location.reload();
  };
  const showFailure = () => {
    const place = document.getElementById('root');
    if (!place) return;
    const words = document.createElement('main');
    words.className = 'state full-height';
    words.setAttribute('role', 'alert');
    const heading = document.createElement('h1');
    heading.textContent = 'Loading error. Please refresh the page.';
    words.append(heading);
    place.replaceChildren(words);
  };

  /** Nobody has come to take them: the app did not start. Each is sent by itself, or left for the next start. */
  const sendAlone = () => {
    stop();
    for (const data of early.splice(0).map(entryOf)) void post(data).catch(() => leave(data));
  };
  /** Without the query of any address, where secrets stand. */
  const bare = (text) => text.replace(/[?#][^\s)'"]*/g, '').slice(0, 4_000);
  /** The app itself tells more of it (worker/describe.ts). Of a stack what stands before its frames is shortened, not they. */
  const describe = (thrown) => {
    try {
      if (!(thrown instanceof Error)) return { message: bare(String(thrown)), stack: null };
      const stack = String(thrown.stack).replace(thrown.message, (text) => text.slice(0, 500));
      return { message: bare(`${thrown.name}: ${thrown.message}`), stack: bare(stack) };
    } catch {
      return { message: 'Something unreadable was thrown', stack: null };
    }
  };
  const entryOf = ({ thrown, source, at }) => ({
    ...describe(thrown),
    source,
    timestamp: new Date(at).toISOString(),
    url: location.origin + location.pathname,
    userAgent: navigator.userAgent,
    context: { build: root.dataset.build ?? null },
  });
  const post = async (data) => {
    const answer = await fetch('/api/debug/client-logs', {
      method: 'POST',
      credentials: 'include',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'error', data }),
      keepalive: true,
    });
    if (!isTaken(answer)) throw new Error('not taken');
  };
  /** Somebody between this page and the server takes nothing (worker/own-word.ts). */
  const isTaken = (answer) => answer.ok && answer.headers.has(KEYS.buildHeader);
  const leave = (data) => {
    try {
      const left = JSON.parse(localStorage.getItem(KEYS.early) ?? '[]');
      localStorage.setItem(KEYS.early, JSON.stringify([...left, data].slice(-MOST)));
    } catch {
      // Storage is refused: nothing can be left here.
    }
  };

  addEventListener('error', onFailure, true);
  addEventListener('unhandledrejection', onFailure);
  /** The app takes over what was heard, and listens itself from now on. */
  globalThis.musterBoot = {
    take() {
      stop();
      started();
      const taken = { early: early.splice(0), missed };
      missed = 0;
      return taken;
    },
  };

  // The browser offers to install once, perhaps before the app is there to hear it (app/features/install/install.ts).
  const keepOffer = (event) => {
    event.preventDefault();
    globalThis.musterBoot.offer = event;
  };
  addEventListener('beforeinstallprompt', keepOffer, { once: true });

  /**
   * The drawn page's links press before the app is there. A sign-out that the server missed (app/lib/owed-sign-out.ts)
   * would end the session of a sign-in that comes before it: it is told first here too.
   */
  document.addEventListener(
    'click',
    async (event) => {
      const link = event.target instanceof Element ? event.target.closest('a[href^="/api/auth/telegram/start"]') : null;
      if (!link || root.dataset.started !== undefined || !isSignOutOwed()) return;
      event.preventDefault();
      event.stopPropagation();
      globalThis.musterBoot.paying = fetch('/api/auth/logout', {
        method: 'POST',
        signal: AbortSignal.timeout?.(GIVE_UP_MS),
      }).catch(() => null);
      const answer = await globalThis.musterBoot.paying;
      if (answer && isTaken(answer)) localStorage.removeItem(KEYS.signOutOwed);
      location.assign(link.href);
    },
    true,
  );
  const isSignOutOwed = () => {
    try {
      return localStorage.getItem(KEYS.signOutOwed) !== null;
    } catch {
      return false;
    }
  };

  // A page that came drawn is painted first. `data-parts`: the app's entry, then what this page needs besides.
  const [entry, ...parts] = document.currentScript?.dataset.parts?.split(' ') ?? [];
  const start = () => {
    for (const href of parts)
      document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
    import(entry).catch((error) => {
      void refetch();
      throw error;
    });
  };
  // Nothing is painted in a tab that nobody sees.
  const afterPaint = () => (document.hidden ? start() : requestAnimationFrame(() => setTimeout(start)));
  if (entry !== undefined) addEventListener('DOMContentLoaded', afterPaint);
})();
