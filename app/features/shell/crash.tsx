import { Component, type ReactNode } from 'react';
import { m } from '../../paraglide/messages.js';
import { Button } from '../../ui/button.tsx';
import { State } from '../../ui/states.tsx';

/** Tells ops of a screen that crashed. Loaded only then. */
export function reportCrash(error: unknown, componentStack: string | null): void {
  void import('../../lib/logs.ts')
    .then(({ logError }) => logError(error, 'render', { componentStack }))
    .catch(() => undefined);
}

/** Specification, section 8: a screen that crashed while it was drawn. */
export function CrashPanel({ error }: { error: unknown }) {
  const details = error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error);
  return (
    <main id="main" tabIndex={-1} className="full" role="alert">
      <State
        heading="h1"
        illustration="broken"
        title={m.shell_crash_title()}
        actions={<Button onClick={() => location.reload()}>{m.shell_crash_refresh()}</Button>}
      >
        <p>{m.shell_crash_line()}</p>
        <details className="crash">
          <summary>{m.shell_crash_details()}</summary>
          <pre>{details}</pre>
        </details>
      </State>
    </main>
  );
}

type Props = { children: ReactNode; resetKey?: string };
/** Catches what a screen throws while it is drawn; another address (`resetKey`) starts afresh. */
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
