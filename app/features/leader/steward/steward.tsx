import '../../../ui/desk.css';
import './steward.css';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { EVENT_CODE_STEP_MS } from '../../../../server/contract/limits.ts';
import type { EventKey } from '../../../../server/contract/tasks.ts';
import { type EventSigner, makeCode, readSigner, stepOf } from '../../../../server/rules/event-code.ts';
import { timeNow } from '../../../lib/clock.ts';
import { number } from '../../../lib/format.ts';
import { read } from '../../../lib/query.ts';
import { rangeWord } from '../../../lib/range-word.ts';
import { orReload } from '../../../lib/service-worker.ts';
import { m } from '../../../paraglide/messages.js';
import { ButtonLink } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Failed, Reading } from '../../../ui/states.tsx';

/** A steward's phone generates an event's code. Its key is loaded once; then no connection is needed. */
export function Steward(props: { communityId: string; slug: string; taskId: string }) {
  const { communityId, taskId } = props;
  const query = useQuery(read('GET /api/communities/:communityId/tasks/:taskId/event-key', { communityId, taskId }));
  return (
    <div className="narrow-column">
      <Reading query={query}>{(key) => <Codes eventKey={key} />}</Reading>
      <p className="after-list">
        <ButtonLink kind="words" to="/community/$communityId/admin/tasks" params={{ communityId: props.slug }}>
          {m.leader_steward_back()}
        </ButtonLink>
      </p>
    </div>
  );
}

type Code = { typed: string; size: number; path: string };

/** Dark modules of a QR code as one path, a unit each, with the quiet zone that readers need. */
function pathOf(rows: readonly (readonly boolean[])[]): string {
  return rows.map((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')).join('')).join('');
}

const stays = () => false;
async function draw(signer: EventSigner, taskId: string, at: number): Promise<Code> {
  const { default: encodeQR } = await orReload(import('qr'), stays);
  const { qr, typed } = await makeCode(signer, taskId, at);
  const rows = encodeQR(qr, 'raw', { ecc: 'medium', border: 4 });
  return { typed, size: rows.length, path: pathOf(rows) };
}

const SECOND_MS = 1_000;

function Codes({ eventKey }: { eventKey: EventKey }) {
  const [now, setNow] = useState(() => timeNow());
  const [code, setCode] = useState<Code | null>(null);
  const [error, setError] = useState<unknown>(null);
  const step = stepOf(now);
  useEffect(() => {
    const timer = setInterval(() => setNow(timeNow()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => {
    let current = true;
    void readSigner(eventKey.privateKey)
      .then((signer) => draw(signer, eventKey.taskId, step * EVENT_CODE_STEP_MS))
      .then(
        (made) => current && setCode(made),
        (reason) => current && setError(reason),
      );
    return () => {
      current = false;
    };
  }, [eventKey, step]);
  useWakeLock();
  if (error !== null) return <Failed error={error} title={m.leader_steward_failed()} />;
  const left = Math.ceil(((step + 1) * EVENT_CODE_STEP_MS - now) / SECOND_MS);
  const outside = now < Date.parse(eventKey.startsAt) || now > Date.parse(eventKey.endsAt);
  return (
    <Card className="steward-code">
      <h2>{eventKey.title}</h2>
      <p className="text-small text-muted">{rangeWord(eventKey.startsAt, eventKey.endsAt)}</p>
      {outside && <p className="quote">{m.leader_steward_outside()}</p>}
      <div className="steward-code__picture">
        {code && (
          <svg
            viewBox={`0 0 ${code.size} ${code.size}`}
            role="img"
            aria-label={m.leader_steward_qr()}
            shapeRendering="crispEdges"
          >
            <rect width={code.size} height={code.size} fill="#fff" />
            <path d={code.path} fill="#000" />
          </svg>
        )}
      </div>
      <p className="steward-code__typed" aria-live="off">
        {code?.typed ?? '…'}
      </p>
      <p className="text-small text-muted">{m.leader_steward_left({ n: number(left) })}</p>
      <p className="text-small text-muted">{m.leader_steward_line()}</p>
    </Card>
  );
}

/** Keeps the screen on while the code is shown, where the browser can. */
function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | null = null;
    let left = false;
    const ask = async () => {
      const { wakeLock } = navigator as { wakeLock?: WakeLock };
      if (document.visibilityState !== 'visible' || !wakeLock) return;
      // The browser refuses on low battery: the screen then turns off as usual.
      lock = await wakeLock.request('screen').catch(() => null);
      if (left) void lock?.release();
    };
    void ask();
    document.addEventListener('visibilitychange', ask);
    return () => {
      left = true;
      document.removeEventListener('visibilitychange', ask);
      void lock?.release();
    };
  }, []);
}
