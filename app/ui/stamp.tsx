import { useState } from 'react';
import { isSameDay, stampTime, timeOfDay } from '../lib/format.ts';
import { useNow } from '../lib/use-now.ts';
import { m } from '../paraglide/messages.js';
import { Icon } from './icon.tsx';

/** Younger than this counts as fresh: no stamp. */
const FRESH_MS = 60_000;

/**
 * How old what you see is, at the end of the heading it dates; nothing when it is fresh (`at` null) or nearly so.
 * A press tries again (`onRetry`) and says since when it has been tried.
 */
export function AsOf({ at, onRetry }: { at: number | null | undefined; onRetry?: () => unknown }) {
  return at === null || at === undefined ? null : <Stamp at={at} onRetry={onRetry} />;
}

/** Also where nothing else is drawn anew what is shown grows old, and what was of today is of another day. */
function Stamp({ at, onRetry }: { at: number; onRetry: (() => unknown) | undefined }) {
  const [tried, setTried] = useState<number | null>(null);
  const now = useNow();
  if (now - at < FRESH_MS) return null;
  const className = isSameDay(at, now) ? 'stamp' : 'stamp stamp--old';
  const words = (
    <>
      <Icon name="clock" />
      <span>{m.shell_as_of({ time: stampTime(at, now) })}</span>
    </>
  );
  if (!onRetry) return <span className={className}>{words}</span>;
  return (
    <button
      type="button"
      className={className}
      onClick={() => {
        setTried(Date.now());
        onRetry();
      }}
    >
      {words}
      {tried !== null && <small>{m.shell_as_of_tried({ time: timeOfDay(tried) })}</small>}
    </button>
  );
}
