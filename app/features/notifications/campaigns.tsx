import './campaigns.css';
import './choices.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Campaign, NewCampaign } from '../../../server/contract/campaigns.ts';
import type { CommunityRole } from '../../../server/contract/community.ts';
import { CAMPAIGN_BODY_MAX } from '../../../server/contract/limits.ts';
import { fromLocal } from '../../lib/dates.ts';
import { onDelivered } from '../../lib/device.ts';
import { call } from '../../lib/http.ts';
import { read } from '../../lib/query.ts';
import { readsOf } from '../../lib/query-keys.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../../ui/button.tsx';
import { Card, Chip, SectionHead } from '../../ui/card.tsx';
import { Field, Select, showWrong } from '../../ui/field.tsx';
import { number, stampTime } from '../../ui/format.ts';
import { Stacked } from '../../ui/pages.tsx';
import { Empty } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { keep } from '../engagement/acts.ts';
import { useListFocus } from '../engagement/list-focus.ts';
import { refusalWords } from '../engagement/refusal-words.ts';
import { announcementSubject } from '../engagement/subjects.ts';
import { roleWord, whenWord } from '../engagement/words.ts';
import { SaidFields, useSaid } from './said.tsx';

type Place = { communityId: string };
const pathOf = ({ communityId }: Place) => `/api/communities/${communityId}/campaigns`;
const readsIn = ({ communityId }: Place) =>
  readsOf(['GET /api/communities/:communityId/campaigns', 'GET /api/communities/:communityId/campaigns/*'], {
    communityId,
  });

/** Notifications that leaders send to members: written, tried, planned, and how they fare. */
export function Campaigns({ communityId }: Place) {
  const client = useQueryClient();
  useEffect(
    () =>
      onDelivered(({ entry }) => {
        const path = pathOf({ communityId });
        if (!entry.path.startsWith(path) && !entry.path.endsWith('/announcements')) return;
        void client.invalidateQueries(readsIn({ communityId }));
      }),
    [client, communityId],
  );
  const list = useListFocus<HTMLElement>();
  const usePage = (after: string | undefined) =>
    useQuery(read('GET /api/communities/:communityId/campaigns', { communityId }, { after }));
  return (
    <div className="beside-columns">
      <section>
        <SectionHead title={m.push_compose()} />
        <Card>
          <Composer communityId={communityId} />
        </Card>
      </section>
      <section ref={list}>
        <SectionHead title={m.push_campaigns()} />
        <Stacked usePage={usePage} none={<Empty title={m.push_campaigns_none()} line={m.push_campaigns_none_line()} />}>
          {(campaign) => <CampaignCard communityId={communityId} campaign={campaign} />}
        </Stacked>
      </section>
    </div>
  );
}

const ROLES: readonly CommunityRole[] = ['member', 'moderator', 'leader'];
const BLANK = { title: '', body: '', sendAt: '', role: 'all', minPoints: '', activeDays: '' };
const [POINTS_MAX, DAYS_MAX] = [999_999, 365];
/** No filter where nothing is written; what is beyond the most is the most. */
const wholeOf = (text: string, most: number): number | undefined => Math.min(Number(text), most) || undefined;

function Composer({ communityId }: Place) {
  const said = useSaid(`campaign:${communityId}`, BLANK);
  const { draft, change, title, body, tried } = said;
  const isPast = draft.sendAt !== '' && !(Date.parse(draft.sendAt) > Date.now());
  const role = ROLES.find((one) => one === draft.role);
  const minPoints = wholeOf(draft.minPoints, POINTS_MAX);
  const activeDays = wholeOf(draft.activeDays, DAYS_MAX);

  function send(): Promise<void> {
    const campaign: NewCampaign = {
      title,
      body,
      sendAt: fromLocal(draft.sendAt),
      audience: { ...(role && { roles: [role] }), ...(minPoints && { minPoints }), ...(activeDays && { activeDays }) },
    };
    const subject = announcementSubject(crypto.randomUUID());
    const act = {
      communityId,
      path: pathOf({ communityId }),
      body: campaign,
      label: m.push_send_label({ title }),
      subject,
    };
    return said.send(() => keep(act, true));
  }
  async function tryOut(): Promise<void> {
    try {
      await call('POST /api/communities/:communityId/campaigns/test', {
        params: { communityId },
        body: { title, body },
        idempotencyKey: crypto.randomUUID(),
      });
      toast({ mark: 'sending', title: m.push_test_sent() });
    } catch (error) {
      toast({ mark: 'refused', title: m.member_not_sent(), line: refusalWords(error) });
    }
  }
  return (
    <form
      className="form-stack"
      onSubmit={(event) => {
        event.preventDefault();
        showWrong(event.currentTarget, said.onTry);
        if (said.isWhole && !isPast && !said.busy) void send();
      }}
    >
      <SaidFields said={said} longest={CAMPAIGN_BODY_MAX} rows={3} />
      <Preview title={title} body={body} />
      <Select
        label={m.push_audience()}
        options={[
          { value: 'all', label: m.push_audience_all() },
          ...ROLES.map((one) => ({ value: one, label: roleWord(one) })),
        ]}
        value={role ?? 'all'}
        onValue={(value) => change({ role: value })}
      />
      <div className="quiet-hours">
        <Field
          label={m.push_min_points()}
          inputMode="numeric"
          value={draft.minPoints}
          onValue={(text) => change({ minPoints: text.replace(/\D/g, '') })}
        />
        <Field
          label={m.push_active_days()}
          inputMode="numeric"
          value={draft.activeDays}
          onValue={(text) => change({ activeDays: text.replace(/\D/g, '') })}
        />
      </div>
      <Reach
        communityId={communityId}
        query={{
          role,
          minPoints: minPoints === undefined ? undefined : String(minPoints),
          activeDays: activeDays === undefined ? undefined : String(activeDays),
        }}
      />
      <Field
        label={m.push_send_at()}
        hint={m.push_send_at_hint()}
        type="datetime-local"
        value={draft.sendAt}
        error={tried && isPast ? m.push_send_at_past() : null}
        onValue={(sendAt) => change({ sendAt })}
      />
      <div className="actions">
        <Button type="submit" kind="edge" icon="bell" busy={said.busy}>
          {draft.sendAt === '' ? m.push_send() : m.push_schedule()}
        </Button>
        <Button
          kind="words"
          onClick={() => {
            said.onTry();
            if (said.isWhole) void tryOut();
          }}
        >
          {m.push_test_me()}
        </Button>
      </div>
    </form>
  );
}

/** As a browser shows it. */
function Preview({ title, body }: { title: string; body: string }) {
  return (
    <figure className="push-preview">
      <figcaption className="visually-hidden">{m.push_preview()}</figcaption>
      <img src="/icons/icon-192.png" alt="" width="36" height="36" />
      <div>
        <b>{title || m.push_preview_title()}</b>
        <p className="text-small">{body || m.push_preview_body()}</p>
      </div>
    </figure>
  );
}

type Asked = { role: CommunityRole | undefined; minPoints: string | undefined; activeDays: string | undefined };
function Reach({ communityId, query }: { communityId: string; query: Asked }) {
  const { data } = useQuery({
    ...read('GET /api/communities/:communityId/campaigns/reach', { communityId }, query),
    staleTime: 0,
  });
  if (!data) return null;
  return (
    <p className="text-small text-muted" role="status">
      {m.push_reach({ members: number(data.members), browsers: number(data.browsers) })}
    </p>
  );
}

const STATES = {
  waiting: m.push_campaign_waiting,
  spreading: m.push_campaign_sending,
  sending: m.push_campaign_sending,
  done: m.push_campaign_done,
  cancelled: m.push_campaign_cancelled,
} as const;

function CampaignCard({ communityId, campaign }: Place & { campaign: Campaign }) {
  const { id, title, body, by, state, sendAt, finishedAt, services } = campaign;
  const figures = [
    [m.push_fig_members(), campaign.members],
    [m.push_fig_queued(), campaign.queued],
    [m.push_fig_sent(), campaign.sent],
    [m.push_fig_told(), campaign.told],
    [m.push_fig_gone(), campaign.gone],
    [m.push_fig_failed(), campaign.failed],
    [m.push_fig_shown(), campaign.shown],
    [m.push_fig_clicked(), campaign.clicked],
    [m.push_fig_dismissed(), campaign.dismissed],
    [m.push_fig_opted_out(), campaign.optedOut],
    [m.push_fig_capped(), campaign.capped],
  ] as const;
  const cancel = () =>
    keep(
      {
        communityId,
        method: 'DELETE',
        path: `${pathOf({ communityId })}/${id}`,
        body: undefined,
        label: m.push_cancel_label({ title }),
        subject: announcementSubject(id),
      },
      true,
    );
  return (
    <Card>
      <div className="flex-row flex-wrap">
        <h3 className="flex-grow">{title}</h3>
        <Chip kind={state === 'done' ? 'ink' : state === 'waiting' ? 'cross' : 'plain'}>{STATES[state]()}</Chip>
      </div>
      <p className="text-small written-text">{body}</p>
      <p className="text-tiny text-muted">
        {[by, state === 'waiting' ? m.push_at({ time: stampTime(sendAt) }) : whenWord(sendAt)]
          .filter(Boolean)
          .join(' · ')}
        {finishedAt && state === 'done' ? ` · ${m.push_finished({ time: stampTime(finishedAt) })}` : ''}
      </p>
      {state === 'waiting' ? (
        <div className="actions">
          <Button kind="words" aria-label={m.push_cancel_label({ title })} onClick={() => void cancel()}>
            {m.push_cancel()}
          </Button>
        </div>
      ) : (
        <>
          <dl className="push-figures">
            {figures.map(([label, value]) => (
              <div key={label}>
                <dt className="text-tiny text-muted">{label}</dt>
                <dd className="numeric">{number(value)}</dd>
              </div>
            ))}
          </dl>
          {services.map(({ service, sent, gone, failed }) => (
            <p key={service} className="text-tiny text-muted">
              {m.push_service_line({ service, sent: number(sent), gone: number(gone), failed: number(failed) })}
            </p>
          ))}
        </>
      )}
    </Card>
  );
}
