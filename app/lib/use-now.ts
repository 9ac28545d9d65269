import { useEffect, useState } from 'react';

const EVERY_MS = 30_000;

/** The device's clock, epoch ms, for countdowns: updates twice a minute, and when the page is shown again. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const tick = () => setNow(Date.now());
    const timer = setInterval(tick, EVERY_MS);
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, []);
  return now;
}
