/**
 * A page for each file, in a process that several share: what a file leaves on the page ends with that file, as with a
 * document. React, TanStack and the DOM stay loaded; the app's own modules hold what the page shows and come anew.
 */
import { onlineManager } from '@tanstack/react-query';
import { cleanup } from '@testing-library/react';
import { vi } from 'vitest';

declare const happyDOM: { setURL: (url: string) => void };
type Ending = () => void;
type Listen = EventTarget['addEventListener'];

/** Begins a page. Answers what ends it. */
export function beginPage(): Ending {
  vi.resetModules();
  const endings = [...ofListeners(), ofTimers(), ofChannels()];
  const { href } = location;
  return () => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    cleanup();
    for (const end of endings) end();
    // A link that was pressed may lead anywhere, from where a history leads back nowhere.
    happyDOM.setURL(href);
    history.replaceState(null, '', href);
    localStorage.clear();
    sessionStorage.clear();
    document.title = '';
    for (const element of [document.documentElement, document.body])
      for (const { name } of [...element.attributes]) element.removeAttribute(name);
    document.head.replaceChildren();
    document.body.replaceChildren();
    if (onlineManager.hasListeners())
      throw new Error('A query client is still mounted: it would read on in the next file');
  };
}

/** What hears the window and the document. React hears the document once and for all its pages. */
function ofListeners(): Ending[] {
  return [globalThis as unknown as EventTarget, document].map((target) => {
    const { addEventListener: listen } = target;
    const heard: Parameters<Listen>[] = [];
    target.addEventListener = (...listener: Parameters<Listen>) => {
      if (listener[0] !== 'selectionchange') heard.push(listener);
      listen.apply(target, listener);
    };
    return () => {
      for (const [type, hear, options] of heard) target.removeEventListener(type, hear, options);
      target.addEventListener = listen;
    };
  });
}

/** What still waits for its time would ask the next file's server. */
function ofTimers(): Ending {
  const { setTimeout: once, setInterval: again } = globalThis;
  const running = new Set<NodeJS.Timeout>();
  const kept = <T extends typeof once | typeof again>(start: T): T =>
    ((...timer: Parameters<typeof once>) => {
      const started = start(...timer);
      running.add(started);
      return started;
    }) as T;
  Object.assign(globalThis, { setTimeout: kept(once), setInterval: kept(again) });
  return () => {
    for (const timer of running) clearTimeout(timer);
    Object.assign(globalThis, { setTimeout: once, setInterval: again });
  };
}

/** Tabs of one origin hear each other; those of files do not. */
function ofChannels(): Ending {
  const { BroadcastChannel: Channel } = globalThis;
  const opened: BroadcastChannel[] = [];
  globalThis.BroadcastChannel = class extends Channel {
    constructor(name: string) {
      super(name);
      opened.push(this);
    }
  };
  return () => {
    for (const channel of opened) channel.close();
    globalThis.BroadcastChannel = Channel;
  };
}
