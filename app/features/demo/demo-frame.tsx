import './demo-frame.css';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { m } from '../../paraglide/messages.js';
import { Button } from '../../ui/button.tsx';
import { Segment } from '../../ui/segment.tsx';
import { toast } from '../../ui/toast.tsx';
import { type DemoRole, FIRST } from './address.ts';
import type { Instance } from './instance.ts';

type SwitchRole = (role: DemoRole, screen?: string) => Promise<void>;

/** Surrounds every screen of the demo: what this is, the current role, an offline switch, and the ways out. */
export function DemoFrame(props: {
  instance: Instance;
  become: SwitchRole;
  reset: () => Promise<void>;
  show: (screen: string) => void;
  children: ReactNode;
}) {
  const { instance, become } = props;
  const [role, setRole] = useState(instance.role());
  const [away, setAway] = useState(instance.isAway());
  useNotices(instance, props.show);
  useEffect(() => {
    const follow = () => setRole(instance.role());
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, [instance]);
  const choose = useCallback(
    (next: DemoRole) => {
      setRole(next);
      void become(next, FIRST[next]);
    },
    [become],
  );
  const connect = (isAway: boolean) => {
    instance.setAway(isAway);
    setAway(isAway);
    dispatchEvent(new Event(isAway ? 'offline' : 'online'));
  };
  const reset = async () => {
    await props.reset();
    if (away) connect(false);
    toast({ icon: 'undo', title: m.demo_was_reset() });
  };
  return (
    <>
      <aside className="demo-bar" aria-label={m.demo_bar()}>
        <p className="demo-bar__words">
          <b>{m.demo_title()}</b> <span className="only-wide">{m.demo_line()}</span>
          <span className="only-phone">{m.demo_line_short()}</span>
        </p>
        <Segment
          label={m.demo_role()}
          options={[
            { value: 'member', label: m.demo_as_member() },
            { value: 'leader', label: m.demo_as_leader() },
          ]}
          value={role}
          onChange={choose}
        />
        <div className="demo-bar__acts">
          <Button kind="words" aria-pressed={away} onClick={() => connect(!away)}>
            {away ? m.demo_go_online() : m.demo_go_offline()}
          </Button>
          <Button kind="words" icon="undo" onClick={() => void reset()}>
            {m.demo_reset()}
          </Button>
          {/* Another document, where the session is untouched. No link, which would come before the skip link. */}
          <Button kind="words" onClick={() => location.assign('/')}>
            {m.demo_leave()}
          </Button>
        </div>
      </aside>
      {props.children}
    </>
  );
}

/** The page itself shows what the product would push to the member's device: the latest notice. */
function useNotices(instance: Instance, open: (screen: string) => void): void {
  useEffect(() => {
    const show = () => {
      const [latest] = instance.takeNotices();
      if (!latest) return;
      const { title, body, path } = latest;
      const action = { label: m.demo_open(), onPress: () => open(path) };
      toast({ icon: 'bell', title, line: body, durationMs: 8_000, action });
    };
    instance.onNotices(() => setTimeout(show, 800));
    return () => instance.onNotices(() => undefined);
  }, [instance, open]);
}
