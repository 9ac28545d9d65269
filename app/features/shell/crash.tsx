import './crash.css';
import { Component, type ReactNode, useEffect, useState } from 'react';
import { DEVICE_CHANNEL } from '../../../server/contract/sw-messages.ts';
import type { DeviceEvent } from '../../../worker/schema.ts';
import { openChannel } from '../../lib/browser.ts';
import { PartMissing, reloadForPart } from '../../lib/service-worker.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../../ui/button.tsx';
import { OfflineEmpty, State } from '../../ui/states.tsx';

/** Logs a crashed screen for operators. Loaded only then. */
export function reportCrash(error: unknown, componentStack: string | null, source = 'render'): void {
  void import('../../lib/logs.ts')
    .then(({ logError }) => logError(error, source, { componentStack }))
    .catch(() => undefined);
}

/** Specification, section 8: a screen that crashed while rendering. */
export function CrashPanel({ error }: { error: unknown }) {
  if (error instanceof PartMissing) return error.isReplaced ? <RollingOut /> : <NotHereYet />;
  const details = error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error);
  return (
    <main id="main" tabIndex={-1} className="full-height" role="alert">
      <State
        heading="h1"
        illustration="broken"
        title={m.shell_crash_title()}
        actions={<Button onClick={() => location.reload()}>{m.shell_crash_refresh()}</Button>}
      >
        <p>{m.shell_crash_line()}</p>
        <details className="crash-details">
          <summary>{m.shell_crash_details()}</summary>
          <pre>{details}</pre>
        </details>
      </State>
    </main>
  );
}

/** A screen that was never opened here online. It opens with a connection. */
function NotHereYet() {
  useEffect(() => {
    const again = () => location.reload();
    const device = openChannel(DEVICE_CHANNEL);
    device.addEventListener('message', ({ data }: MessageEvent<DeviceEvent>) => {
      if (data.type === 'REACHABLE') again();
    });
    addEventListener('online', again);
    return () => {
      removeEventListener('online', again);
      device.close();
    };
  }, []);
  return (
    <main id="main" tabIndex={-1} className="full-height">
      <OfflineEmpty heading="h1" onRetry={() => location.reload()} />
    </main>
  );
}

/** A screen of another build than the server has just now. */
function RollingOut() {
  const [pressed, setPressed] = useState(false);
  const press = () => {
    setPressed(true);
    void reloadForPart().finally(() => setPressed(false));
  };
  return (
    <main id="main" tabIndex={-1} className="full-height">
      <State
        heading="h1"
        illustration="apart"
        title={m.shell_rolling_title()}
        actions={
          <Button icon="retry" busy={pressed} onClick={press}>
            {m.shell_crash_refresh()}
          </Button>
        }
      >
        <p>{m.shell_rolling_line()}</p>
      </State>
    </main>
  );
}

type Props = { children: ReactNode; resetKey?: string };
/** Catches render errors of a screen; another address (`resetKey`) resets it. */
export class CrashBoundary extends Component<Props, { error: unknown; failed: boolean }> {
  override state: { error: unknown; failed: boolean } = { error: null, failed: false };
  static getDerivedStateFromError(error: unknown) {
    return { error, failed: true };
  }
  override componentDidCatch(error: unknown, info: { componentStack?: string | null }): void {
    reportCrash(error, info.componentStack ?? null);
  }
  override componentDidUpdate(before: Props): void {
    if (this.state.failed && before.resetKey !== this.props.resetKey) this.setState({ error: null, failed: false });
  }
  override render(): ReactNode {
    return this.state.failed ? <CrashPanel error={this.state.error} /> : this.props.children;
  }
}

/**
 * Logs for operators that a pre-rendered page differs from what the app renders. React redraws that part, which is a
 * flash at most, so nothing else would reveal it.
 */
export function reportMismatch(error: unknown, { componentStack }: { componentStack?: string | undefined }): void {
  reportCrash(error, componentStack ?? null, 'hydration');
}
