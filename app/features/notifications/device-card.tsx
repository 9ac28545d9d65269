import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useReducer, useState } from 'react';
import type { NotificationRoom, PushDevice } from '../../../server/contract/push.ts';
import { refusable } from '../../../worker/browser.ts';
import { PUSH_SUBJECT } from '../../../worker/push.ts';
import { notifications } from '../../lib/browser.ts';
import { type OutboxEntry, onDelivered, useOutbox } from '../../lib/device.ts';
import { call, HttpError, isNetworkFailure } from '../../lib/http.ts';
import { logError } from '../../lib/logs.ts';
import { disablePush, enablePush, PushProblem, type Support, support } from '../../lib/push.ts';
import { useUser } from '../../lib/query.ts';
import { readsOf } from '../../lib/query-keys.ts';
import { errorText } from '../../lib/refusal-words.ts';
import { serverWords } from '../../lib/server-words.ts';
import { useDeviceWord } from '../../lib/use-device-word.ts';
import { m } from '../../paraglide/messages.js';
import { whenWord } from '../../shared/tasks/words.ts';
import { Button, SignInLink } from '../../ui/button.tsx';
import { Card, Chip, Quote } from '../../ui/card.tsx';
import { toast } from '../../ui/toast.tsx';

/** Notifications on this device: their purpose, on or off, obstacles, and the last message's result. */
export function DeviceCard({ room }: { room: NotificationRoom }) {
  const client = useQueryClient();
  const user = useUser();
  const entry = useOutbox().find(({ subject }) => subject === PUSH_SUBJECT);
  const [isDoing, setDoing] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const permission = usePermission();
  const here = support();
  const device = room.devices.find(({ current }) => current);

  async function run(work: () => Promise<unknown>): Promise<void> {
    setDoing(true);
    setProblem(null);
    try {
      await work();
    } catch (error) {
      if (!(error instanceof PushProblem)) logError(error, 'push');
      setProblem(problemWords(error));
    } finally {
      // Everything waits until the screen shows the result: `Turn on` reappears once the server has forgotten this
      // device, while the browser is still ending the subscription that it would find.
      await client.invalidateQueries(readsOf(['GET /api/user/notifications']));
      setDoing(false);
    }
  }
  async function start(userId: string): Promise<void> {
    if ((await enablePush(userId)) === 'default') throw new PushProblem(m.push_not_now());
  }
  async function test(): Promise<void> {
    await call('POST /api/pwa/test');
    toast({ mark: 'sending', title: m.push_test_sent() });
  }

  if (here !== 'yes') return <Cannot here={here} />;
  if (permission === 'denied')
    return (
      <Card className="stack">
        <b>{m.push_denied()}</b>
        <p className="text-small">{m.push_denied_line()}</p>
      </Card>
    );
  const isOn = permission === 'granted' && (device !== undefined || entry !== undefined);
  return (
    <Card className="stack-medium">
      {isOn ? (
        <>
          <Standing entry={entry} device={device} />
          <div className="actions">
            {device && (
              <Button kind="edge" icon="bell" busy={isDoing} onClick={() => void run(test)}>
                {m.push_test()}
              </Button>
            )}
            <Button
              kind="words"
              icon="bell-off"
              busy={isDoing}
              onClick={() => user && void run(() => disablePush(user.id))}
            >
              {m.push_turn_off()}
            </Button>
          </div>
        </>
      ) : (
        <>
          <p className="text-small">{m.push_off_line()}</p>
          <div className="actions">
            <Button icon="bell" busy={isDoing} onClick={() => user && void run(() => start(user.id))}>
              {m.push_turn_on()}
            </Button>
          </div>
        </>
      )}
      {problem !== null && (
        <p className="text-small" role="alert">
          {problem}
        </p>
      )}
    </Card>
  );
}

/** The browser's own messages are for programmers, so they go to the logs only. */
function problemWords(error: unknown): string {
  if (error instanceof PushProblem) return error.message;
  return error instanceof HttpError || isNetworkFailure(error) ? errorText(error) : m.push_not_connected();
}

const CANNOT = { none: m.push_unsupported, ios: m.push_ios, frame: m.push_framed, demo: m.demo_push } as const;
function Cannot({ here }: { here: Exclude<Support, 'yes'> }) {
  return (
    <Card className="stack">
      <b>{CANNOT[here]()}</b>
      {here === 'ios' && <p className="text-small">{m.push_ios_line()}</p>}
    </Card>
  );
}

/** Ink once the server has the subscription, pencil while only this device has it. */
function Standing({ entry, device }: { entry: OutboxEntry | undefined; device: PushDevice | undefined }) {
  const word = useDeviceWord();
  if (entry?.state === 'refused') return <Quote lead={m.push_off()}>{entry.error && serverWords(entry.error)}</Quote>;
  if (entry && entry.error?.status === 401)
    return (
      <div className="stack">
        <Chip kind="pencil">{m.push_pending({ device: word })}</Chip>
        <p className="text-small" role="alert">
          {m.push_pending_signed_out()}
        </p>
        <div>
          <SignInLink kind="edge" />
        </div>
      </div>
    );
  if (entry) return <Chip kind="pencil">{m.push_pending({ device: word })}</Chip>;
  return (
    <div className="stack">
      <div>
        <Chip kind="ink" icon="check">
          {m.push_on()}
        </Chip>
      </div>
      {device && <p className="text-small text-muted">{lastWords(device)}</p>}
    </div>
  );
}

/** The result of the last message to a device, from its push service. */
export function lastWords({ lastTryAt, lastStatus, service }: PushDevice): string {
  if (lastTryAt === null) return m.push_device_never();
  const status =
    lastStatus === null
      ? m.push_device_silent({ service })
      : lastStatus < 300
        ? m.push_device_ok({ service })
        : m.push_device_refused({ service, status: String(lastStatus) });
  return m.push_device_last({ when: whenWord(lastTryAt), status });
}

const permissionNow = (): NotificationPermission => notifications()?.permission ?? 'denied';

/** The browser's permission, updated when it changes in the browser's settings. */
function usePermission(): NotificationPermission {
  const [, again] = useReducer((count: number) => count + 1, 0);
  const client = useQueryClient();
  useEffect(() => {
    let status: PermissionStatus | undefined;
    void refusable(() => navigator.permissions.query({ name: 'notifications' }))
      ?.then((found) => {
        status = found;
        status.addEventListener('change', again);
      })
      .catch(() => undefined);
    const offDelivered = onDelivered(({ entry }) => {
      if (entry.lane === 'push') void client.invalidateQueries(readsOf(['GET /api/user/notifications']));
    });
    return () => {
      status?.removeEventListener('change', again);
      offDelivered();
    };
  }, [client]);
  return permissionNow();
}
