import type { ChangeTopic } from '../../server/contract/live.ts';

/** How long to wait before reopening a stream that the browser gave up, and between refetches in the meantime, ms. */
const AGAIN_AFTER_MS = 15_000;
const POLL_EVERY_MS = 30_000;
/** Groups changes that come close together, and spreads the screens' refetches. */
const TOGETHER_MS = 150;
const SPREAD_MS = 250;
const REST_MS = 1_500;

type Ports = {
  /** Opens a stream; absent where the browser has none. */
  open?: (url: string) => EventSource;
  onChange: (topics: ReadonlySet<ChangeTopic>) => void;
};

/**
 * Follows the server's changes at `path` while the page is visible, from the last one received. Where no stream works,
 * all topics count as changed at intervals. Answers how to stop.
 */
export function followChanges(path: string, topics: readonly ChangeTopic[], { open, onChange }: Ports): () => void {
  let events: EventSource | null = null;
  let last: string | null = null;
  let again: ReturnType<typeof setTimeout> | undefined;
  let poll: ReturnType<typeof setInterval> | undefined;
  const soon = gathered(onChange);

  const noteChange = ({ lastEventId }: MessageEvent<string>) => {
    if (lastEventId !== '') last = lastEventId;
  };
  const stopPolling = () => {
    clearInterval(poll);
    poll = undefined;
  };
  const startPolling = () => {
    poll ??= setInterval(() => soon.add(topics), POLL_EVERY_MS);
  };
  function close() {
    events?.close();
    events = null;
    clearTimeout(again);
    stopPolling();
  }
  function begin() {
    if (!open) return startPolling();
    const stream = open(last === null ? path : `${path}?after=${last}`);
    events = stream;
    stream.addEventListener('ready', (event) => {
      noteChange(event);
      stopPolling();
    });
    stream.addEventListener('change', (event: MessageEvent<string>) => {
      noteChange(event);
      soon.add((JSON.parse(event.data) as { topics: ChangeTopic[] }).topics);
    });
    stream.addEventListener('error', () => {
      startPolling();
      // A browser reopens a broken stream itself, but gives up on an answer that is no stream.
      if (stream.readyState !== stream.CLOSED || events !== stream) return;
      events = null;
      again = setTimeout(begin, AGAIN_AFTER_MS + Math.random() * AGAIN_AFTER_MS);
    });
  }
  const onSight = () => {
    close();
    if (document.visibilityState === 'visible') begin();
    else soon.forget();
  };
  document.addEventListener('visibilitychange', onSight);
  if (document.visibilityState === 'visible') begin();
  return () => {
    document.removeEventListener('visibilitychange', onSight);
    close();
    soon.forget();
  };
}

/** Collects topics for a moment, and pauses after each notification. */
function gathered(notify: (topics: ReadonlySet<ChangeTopic>) => void) {
  let waiting = new Set<ChangeTopic>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let restUntil = 0;
  const flush = () => {
    timer = undefined;
    restUntil = Date.now() + REST_MS;
    const gathered2 = waiting;
    waiting = new Set();
    notify(gathered2);
  };
  return {
    add(topics: Iterable<ChangeTopic>) {
      for (const topic of topics) waiting.add(topic);
      if (waiting.size === 0) return;
      const wait = Math.max(TOGETHER_MS, restUntil - Date.now()) + Math.random() * SPREAD_MS;
      timer ??= setTimeout(flush, wait);
    },
    forget() {
      clearTimeout(timer);
      timer = undefined;
      waiting = new Set();
    },
  };
}
