import { useState } from 'react';
import { isSameDay, stampTime, timeOfDay } from '../lib/format.ts';
import { useNow } from '../lib/use-now.ts';
import { m } from '../paraglide/messages.js';
import { Icon } from './icon.tsx';

/** Younger content counts as fresh: no stamp. */
const FRESH_MS = 60_000;

/**
 * The age of the content, at the end of its heading; nothing when it is fresh (`at` null) or nearly so. A press retries
 * (`onRetry`) and shows since when.
 */
export function AsOf({ at, onRetry }: { at: number | null | undefined; onRetry?: () => unknown }) {
  return at === null || at === undefined ? null : <Stamp at={at} onRetry={onRetry} />;
}

/** Redraws on its own clock, because content ages while nothing else redraws, and today becomes yesterday. */
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
