import './leader.css';
import { useQuery } from '@tanstack/react-query';
import { ANNOUNCEMENT_BODY_MAX } from '../../../server/contract/limits.ts';
import { fromLocal } from '../../lib/dates.ts';
import { read } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../../ui/button.tsx';
import { Card, Chip, SectionHead } from '../../ui/card.tsx';
import { Field, showWrong } from '../../ui/field.tsx';
import { stampTime } from '../../ui/format.ts';
import { Stacked } from '../../ui/pages.tsx';
import { Empty } from '../../ui/states.tsx';
import { useListFocus } from '../engagement/list-focus.ts';
import { announcementSubject } from '../engagement/subjects.ts';
import { whenWord } from '../engagement/words.ts';
import { Campaigns } from '../notifications/campaigns.tsx';
import { SaidFields, useSaid } from '../notifications/said.tsx';
import { announce, takeBack } from './acts.ts';
import { announcementDraft } from './draft-names.ts';
import { PendingList, usePending } from './pending.tsx';

/** What leaders tell everybody: written here, also without a connection, and taken back. */
export function Announcements({ communityId }: { communityId: string }) {
  const pending = usePending(communityId, ({ kind }) => kind === 'announcement');
  const list = useListFocus<HTMLElement>();
  const leaving = new Set(pending.map(({ subject }) => subject));
  const usePage = (after: string | undefined) =>
    useQuery(read('GET /api/communities/:communityId/announcements', { communityId }, { after }));
  return (
    <>
      <div className="beside-columns">
        <section>
          <SectionHead title={m.leader_announce_head()} />
          <Card>
            <AnnounceForm communityId={communityId} />
          </Card>
        </section>
        <section ref={list}>
          <SectionHead title={m.leader_announced()} />
          {pending.length > 0 && (
            <Card className="pending-card">
              <PendingList entries={pending} />
            </Card>
          )}
          <Stacked
            usePage={usePage}
            none={<Empty title={m.leader_none_announced()} line={m.leader_none_announced_line()} />}
            isShown={({ id }) => !leaving.has(announcementSubject(id))}
          >
            {(one) => (
              <Card>
                <div className="flex-row flex-wrap">
                  <h3 className="flex-grow">{one.title}</h3>
                  {one.pinnedUntil && Date.parse(one.pinnedUntil) > Date.now() && (
                    <Chip kind="cross" icon="pin">
                      {m.leader_pinned({ time: stampTime(one.pinnedUntil) })}
                    </Chip>
                  )}
                </div>
                <p className="text-small written-text">{one.body}</p>
                <div className="flex-row">
                  <p className="text-tiny text-muted flex-grow">
                    {one.by} · {whenWord(one.at)}
                  </p>
                  <Button
                    kind="words"
                    aria-label={m.leader_unannounce_label({ title: one.title })}
                    onClick={() => void takeBack(communityId, one)}
                  >
                    {m.leader_unannounce()}
                  </Button>
                </div>
              </Card>
            )}
          </Stacked>
        </section>
      </div>
      <Campaigns communityId={communityId} />
    </>
  );
}

const BLANK = { title: '', body: '', pinnedUntil: '' };

function AnnounceForm({ communityId }: { communityId: string }) {
  const said = useSaid(announcementDraft(communityId), BLANK);
  const { draft, change, title, body, busy } = said;
  const isPast = draft.pinnedUntil !== '' && !(Date.parse(draft.pinnedUntil) > Date.now());
  const send = () => said.send(() => announce(communityId, { title, body, pinnedUntil: fromLocal(draft.pinnedUntil) }));
  return (
    <form
      className="form-stack"
      onSubmit={(event) => {
        event.preventDefault();
        showWrong(event.currentTarget, said.onTry);
        if (said.isWhole && !isPast && !busy) void send();
      }}
    >
      <SaidFields said={said} longest={ANNOUNCEMENT_BODY_MAX} rows={5} />
      <Field
        label={m.leader_pin_until()}
        hint={m.leader_pin_hint()}
        type="datetime-local"
        value={draft.pinnedUntil}
        error={said.tried && isPast ? m.leader_season_end_wrong() : null}
        onValue={(pinnedUntil) => change({ pinnedUntil })}
      />
      <Button type="submit" icon="announce" busy={busy}>
        {m.leader_announce()}
      </Button>
    </form>
  );
}
