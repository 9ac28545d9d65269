import '../../../ui/desk.css';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CommunityDetail } from '../../../../server/contract/communities.ts';
import { copyText } from '../../../lib/browser.ts';
import { call } from '../../../lib/http.ts';
import { read } from '../../../lib/query.ts';
import { m } from '../../../paraglide/messages.js';
import { CommandButton, Refused } from '../../../shared/commands/command-parts.tsx';
import { useCommand } from '../../../shared/commands/use-command.ts';
import { Button, OutButton } from '../../../ui/button.tsx';
import { Card, SectionHead } from '../../../ui/card.tsx';
import { Select, TextArea } from '../../../ui/field.tsx';

const PERIODS = ['all', 'week', 'month', 'season'] as const;
const PERIOD_WORDS = {
  all: m.share_embed_period_all,
  week: m.share_embed_period_week,
  month: m.share_embed_period_month,
  season: m.share_embed_period_season,
} as const;

/** Whether other sites may embed the community, and the code for it. */
export function Embeds({ detail }: { detail: CommunityDetail }) {
  const client = useQueryClient();
  const reading = read('GET /api/communities/:communityId', { communityId: detail.id });
  const isOn = detail.embedding === true;
  const change = useCommand(
    (embedding: boolean, idempotencyKey) =>
      call('PATCH /api/communities/:communityId', {
        params: { communityId: detail.id },
        body: { embedding },
        idempotencyKey,
      }),
    (_, embedding) => client.setQueryData(reading.queryKey, (found) => found && { ...found, embedding }),
  );
  return (
    <section className="narrow-column">
      <SectionHead title={m.share_embed_title()} />
      <Card className="form-stack">
        <p className="text-small text-muted">{m.share_embed_line()}</p>
        {detail.visibility !== 'public' ? (
          <p className="text-small">{m.share_embed_private()}</p>
        ) : (
          <>
            <p className="text-small" role="status">
              <b>{isOn ? m.share_embed_on() : m.share_embed_off()}</b>
            </p>
            <Refused error={change.error} />
            <div className="actions">
              <CommandButton kind="edge" command={change} body={!isOn}>
                {isOn ? m.share_embed_switch_off() : m.share_embed_switch_on()}
              </CommandButton>
            </div>
            {isOn && <Snippet detail={detail} />}
          </>
        )}
      </Card>
    </section>
  );
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

function Snippet({ detail }: { detail: CommunityDetail }) {
  const [what, setWhat] = useState<'board' | 'card'>('board');
  const [period, setPeriod] = useState<(typeof PERIODS)[number]>('all');
  const [copied, setCopied] = useState<'no' | 'yes' | 'refused'>('no');
  const { origin } = globalThis.location;
  const path = `/api/embed/${detail.slug}/${what}${what === 'board' ? `?period=${period}` : ''}`;
  const data = `/api/public/communities/${detail.slug}${what === 'board' ? `/board?period=${period}` : ''}`;
  const code = `<iframe src="${origin}${path}" title="${escaped(detail.name)}" width="100%" height="${
    what === 'board' ? 560 : 220
  }" loading="lazy" style="border:0"></iframe>`;
  const hints = { no: m.share_embed_code_hint, yes: m.share_embed_copied, refused: m.share_embed_by_hand };
  return (
    <>
      <Select
        label={m.share_embed_what()}
        options={[
          { value: 'board', label: m.share_embed_board() },
          { value: 'card', label: m.share_embed_card() },
        ]}
        value={what}
        onValue={setWhat}
      />
      {what === 'board' && (
        <Select
          label={m.share_embed_period()}
          options={PERIODS.map((value) => ({ value, label: PERIOD_WORDS[value]() }))}
          value={period}
          onValue={setPeriod}
        />
      )}
      <TextArea
        label={m.share_embed_code()}
        hint={<span role="status">{hints[copied]()}</span>}
        className="monospace"
        rows={4}
        readOnly
        spellCheck={false}
        value={code}
        onFocus={(event) => event.currentTarget.select()}
      />
      <div className="actions">
        <Button
          kind="edge"
          icon="copy"
          onClick={() => void copyText(code).then((done) => setCopied(done ? 'yes' : 'refused'))}
        >
          {m.share_embed_copy()}
        </Button>
        <OutButton kind="words" icon="eye" href={path}>
          {m.share_embed_look()}
        </OutButton>
        <OutButton kind="words" icon="code" href={data}>
          {m.share_embed_api()}
        </OutButton>
      </div>
    </>
  );
}
