import './tools.css';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import type { MyCommunity } from '../../../server/contract/communities.ts';
import { readDraft, storeDraft } from '../../lib/drafts.ts';
import { lastCommunity } from '../../lib/hints.ts';
import { read, useUser } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { Button, SignInLink } from '../../ui/button.tsx';
import { Card, SectionHead } from '../../ui/card.tsx';
import { Select } from '../../ui/field.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { Dialog } from '../../ui/sheet.tsx';

/**
 * Opens a leader's form with this text, through the form's draft. An existing draft is only replaced after a
 * confirmation. `draftName` gives its name.
 */
export function UseInCommunity(props: {
  button: string;
  icon: IconName;
  line: string;
  draftName: (communityId: string) => string;
  /** The leader tool that receives it. */
  room: 'tasks' | 'announcements';
  draft: () => object;
  /** Why it cannot be used yet. */
  disabledReason: string | null;
  /** The text about an existing draft. */
  replaceLine: (names: { community: string; words: string }) => string;
}) {
  const user = useUser();
  const mine = useQuery({ ...read('GET /api/user/communities'), enabled: user !== null });
  const led = mine.data?.filter(({ role }) => role === 'leader');
  return (
    <section>
      <SectionHead title={m.tools_use_head()} />
      <Card className="form-stack">
        {user === null ? (
          <>
            <p className="text-small">{m.tools_use_signed_out()}</p>
            <div>
              <SignInLink kind="edge" />
            </div>
          </>
        ) : led === undefined ? (
          <p className="text-small text-muted">{mine.isError ? m.tools_use_unknown() : '\u00A0'}</p>
        ) : led.length === 0 ? (
          <p className="text-small">{m.tools_use_none()}</p>
        ) : (
          <InOneOf {...props} led={led} />
        )}
      </Card>
    </section>
  );
}

type ExistingDraft = { title?: string; body?: string; instructions?: string };

function InOneOf(props: Parameters<typeof UseInCommunity>[0] & { led: readonly MyCommunity[] }) {
  const { led } = props;
  const navigate = useNavigate();
  const last = lastCommunity();
  const [chosen, setChosen] = useState(() => (led.find(({ id, slug }) => id === last || slug === last) ?? led[0])?.id);
  const community = led.find(({ id }) => id === chosen) ?? led[0];
  const [inTheWay, setInTheWay] = useState<string | null>(null);
  const close = useCallback(() => setInTheWay(null), []);
  if (!community) return null;
  const name = props.draftName(community.id);
  const use = () => {
    storeDraft(name, props.draft());
    close();
    void navigate({
      to: `/community/$communityId/admin/${props.room}`,
      params: { communityId: community.slug },
      search: props.room === 'tasks' ? { edit: 'new' } : {},
    });
  };
  const press = () => {
    const begun = readDraft<ExistingDraft>(name, {});
    const words = [begun.title, begun.body, begun.instructions].find((text) => text?.trim());
    if (words === undefined) use();
    else setInTheWay(words.trim());
  };
  return (
    <>
      {led.length > 1 && (
        <Select
          label={m.tools_use_community()}
          options={led.map(({ id, name: words }) => ({ value: id, label: words }))}
          value={community.id}
          onValue={setChosen}
        />
      )}
      <div>
        <Button kind="edge" icon={props.icon} disabledReason={props.disabledReason} onClick={press}>
          {props.button}
        </Button>
      </div>
      <p className="text-tiny text-muted">{props.line}</p>
      <Dialog title={m.tools_use_replace_title()} open={inTheWay !== null} onClose={close}>
        <p className="tool-words">
          {props.replaceLine({ community: community.name, words: shortened(inTheWay ?? '') })}
        </p>
        <div className="actions">
          <Button onClick={close}>{m.tools_use_keep()}</Button>
          <Button kind="no" onClick={use}>
            {m.tools_use_replace()}
          </Button>
        </div>
      </Dialog>
    </>
  );
}

const SHOWN_MAX = 140;
const shortened = (words: string): string => (words.length > SHOWN_MAX ? `${words.slice(0, SHOWN_MAX)}…` : words);
