import './logout-screen.css';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { READ_FALLBACK_AFTER_MS } from '../../../server/contract/limits.ts';
import { isHeld, unsentCommands } from '../../../worker/unsent.ts';
import { drainNow, type OutboxEntry, unsentOf, useStorageState } from '../../lib/device.ts';
import { discard } from '../../lib/discard.ts';
import { useOnline } from '../../lib/online.ts';
import { userQuery } from '../../lib/query.ts';
import { deviceWord } from '../../lib/surroundings.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../../ui/button.tsx';
import { Mark } from '../../ui/icon.tsx';
import { Dialog } from '../../ui/sheet.tsx';
import { toast } from '../../ui/toast.tsx';
import { LandingScreen } from '../landing/landing-screen.tsx';
import { signOut } from './sign-out.ts';

const LABELS_SHOWN = 3;
/** Long enough to read twice that the sign-out is still owed. */
const AWAY_SHOWN_MS = 10_000;

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** The signed-in user, without waiting for an unreachable server: null when unknown. */
async function memberNow(client: QueryClient): Promise<string | null> {
  const shown = () => client.getQueryData(userQuery.queryKey);
  if (shown() === undefined) {
    const request = client.fetchQuery({ ...userQuery, retry: false }).catch(() => null);
    await Promise.race([request, pause(READ_FALLBACK_AFTER_MS)]);
  }
  return shown()?.id ?? null;
}

type Stage = 'looking' | 'asking' | 'sending' | 'leaving' | 'out';

/** Signs out over the landing page; asks first when something is unsent. */
export function LogoutScreen() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const online = useOnline();
  const storage = useStorageState();
  const [stage, setStage] = useState<Stage>('looking');
  const [member, setMember] = useState<string | null>(null);
  const [unsent, setUnsent] = useState<readonly OutboxEntry[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const begun = useRef(false);
  /** Set by the person's decision to stay or leave: the end of sending then decides nothing more. */
  const decided = useRef(false);

  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    void (async () => {
      const id = await memberNow(client);
      let entries = id === null ? [] : await unsentOf(id).catch(() => []);
      if (id !== null && entries.some((entry) => isHeld(entry))) {
        // Leaving is a decision.
        await Promise.race([drainNow().catch(() => undefined), pause(READ_FALLBACK_AFTER_MS)]);
        entries = await unsentOf(id).catch(() => entries);
      }
      setMember(id);
      setUnsent(entries);
      if (unsentCommands(entries).length > 0) setStage('asking');
      else await leave(client, setStage, false);
    })();
  }, [client]);

  useEffect(() => {
    decided.current = false;
    return () => {
      decided.current = true;
    };
  }, []);
  const stay = () => {
    decided.current = true;
    void navigate({ to: '/' });
  };
  /** Returns at once; commands on their way arrive or wait. */
  async function stayHere() {
    decided.current = true;
    const left = member === null ? [] : await unsentOf(member).catch(() => unsent);
    await leave(client, setStage, unsentCommands(left).length > 0);
  }

  async function send() {
    if (member === null) return;
    setStage('sending');
    setProblem(null);
    await drainNow().catch(() => undefined);
    const left = await unsentOf(member).catch(() => unsent);
    if (decided.current) return;
    setUnsent(left);
    if (unsentCommands(left).length === 0) return leave(client, setStage, false);
    setProblem(m.public_out_send_failed());
    setStage('asking');
  }
  async function discardAll() {
    decided.current = true;
    for (const entry of unsent) await discard(entry);
    const left = member === null ? [] : await unsentOf(member).catch(() => []);
    await leave(client, setStage, unsentCommands(left).length > 0);
  }

  const commands = unsentCommands(unsent);
  const count = commands.length;
  const sending = stage === 'sending';
  return (
    <>
      <LandingScreen />
      <Dialog
        title={m.public_out_title({ count })}
        open={stage === 'asking' || sending}
        onClose={() => {
          if (stage === 'asking' || sending) stay();
        }}
      >
        <p className="text-muted sign-out-line">
          {storage.kind === 'memory' ? m.shell_out_memory() : m.public_out_line({ count, device: deviceWord() })}
        </p>
        <ul className="sign-out-list">
          {commands.slice(0, LABELS_SHOWN).map((entry) => (
            <li key={entry.id}>
              <Mark state={entry.state === 'refused' ? 'refused' : sending ? 'sending' : 'pencil'} />
              {entry.label}
            </li>
          ))}
          {count > LABELS_SHOWN && <li className="text-muted">{m.public_out_more({ count: count - LABELS_SHOWN })}</li>}
        </ul>
        {problem && (
          <p className="text-small" role="status">
            {problem}
          </p>
        )}
        <div className="sign-out-actions">
          <Button onClick={stayHere}>{m.public_out_keep()}</Button>
          <Button
            kind="edge"
            busy={sending}
            disabledReason={online ? null : m.public_reason_connection()}
            onClick={send}
          >
            {sending ? m.public_out_sending({ count }) : m.public_out_send()}
          </Button>
          <Button kind="no" onClick={discardAll}>
            {m.public_out_discard({ count })}
          </Button>
          <Button kind="words" onClick={stay}>
            {m.public_out_stay()}
          </Button>
        </div>
      </Dialog>
    </>
  );
}

/** Signs out once and says so. `kept`: something waits for the next sign-in. */
async function leave(client: QueryClient, setStage: (stage: Stage) => void, remaining: boolean): Promise<void> {
  setStage('leaving');
  const outcome = await signOut(client);
  setStage('out');
  if (outcome === 'away')
    toast({
      icon: 'sign-out',
      title: m.public_out_away({ device: deviceWord() }),
      line: m.public_out_away_line(),
      durationMs: AWAY_SHOWN_MS,
    });
  else {
    const line = remaining ? m.public_out_kept_line() : m.public_out_done_line({ device: deviceWord() });
    toast({ icon: 'sign-out', title: m.public_out_done(), line });
  }
}
