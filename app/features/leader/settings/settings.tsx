import { wholeIn } from '../../../ui/typed-number.ts';
import '../../../ui/desk.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { CommunityDetail } from '../../../../server/contract/communities.ts';
import type { CommunitySummary } from '../../../../server/contract/community.ts';
import {
  COMMUNITY_DESCRIPTION_MAX,
  COMMUNITY_NAME_MAX,
  COMMUNITY_RULES_MAX,
  INVITE_THRESHOLD_MAX,
} from '../../../../server/contract/limits.ts';
import { seenLength } from '../../../../server/contract/seen-length.ts';
import { changesOf } from '../../../lib/changes.ts';
import { useDraft } from '../../../lib/drafts.ts';
import { number } from '../../../lib/format.ts';
import { call } from '../../../lib/http.ts';
import { read } from '../../../lib/query.ts';
import { m } from '../../../paraglide/messages.js';
import { Refused } from '../../../shared/commands/command-parts.tsx';
import { useCommand, useNeedsConnection } from '../../../shared/commands/use-command.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Field, Select, showWrong, TextArea } from '../../../ui/field.tsx';
import { Reading } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toast.tsx';
import { Languages } from '../parts/languages.tsx';
import { tagsIn, tagsWrong } from '../parts/tags.ts';
import { Embeds } from './embeds.tsx';
import { Leagues } from './leagues.tsx';
import { XSpending } from './x-spending.tsx';

const readingOf = (communityId: string) => read('GET /api/communities/:communityId', { communityId });

/** The community's description, and the points at which an invited member counts. */
export function Settings({ community }: { community: CommunitySummary }) {
  const query = useQuery(readingOf(community.id));
  return (
    <Reading query={query}>
      {(detail) => (
        <>
          <Card className="narrow-column">
            <SettingsForm detail={detail} />
          </Card>
          <Leagues detail={detail} />
          <Embeds detail={detail} />
          <XSpending communityId={detail.id} />
        </>
      )}
    </Reading>
  );
}

type SettingsFields = Pick<
  CommunityDetail,
  'name' | 'description' | 'rules' | 'tags' | 'languages' | 'visibility' | 'inviteThreshold'
>;
/** The fields as typed. */
type Fields = Omit<SettingsFields, 'tags' | 'inviteThreshold'> & { tags: string; threshold: string };

function SettingsForm({ detail }: { detail: CommunityDetail }) {
  /** Unsaved changes. Other fields show the server's values and are not sent: another leader may be editing them. */
  const { draft: changed, change, drop } = useDraft<Partial<Fields>>(`settings:${detail.id}`, {});
  const { name, description, rules, visibility, tags, languages, threshold }: Fields = {
    ...detail,
    tags: detail.tags.join(', '),
    threshold: String(detail.inviteThreshold),
    ...changed,
  };
  const client = useQueryClient();
  const offline = useNeedsConnection();
  const inviteThreshold = wholeIn(threshold, 0, INVITE_THRESHOLD_MAX);
  const tagList = tagsIn(tags);
  const short = seenLength(name) < 2;
  const wrongTags = tagsWrong(tagList);
  const save = useCommand(
    ({ body }: { body: Partial<SettingsFields>; changed: Partial<Fields> }, idempotencyKey) =>
      call('PATCH /api/communities/:communityId', { params: { communityId: detail.id }, body, idempotencyKey }),
    (summary, saved) => {
      client.setQueryData(readingOf(detail.id).queryKey, (found) => found && { ...found, ...saved.body, ...summary });
      drop();
      // Text typed while saving is not saved yet.
      change(changesOf<Partial<Fields>>(saved.changed, changed));
      toast({ icon: 'check', title: m.leader_settings_saved() });
    },
  );
  return (
    <form
      className="form-stack"
      onSubmit={(event) => {
        event.preventDefault();
        showWrong(event.currentTarget, () => undefined);
        if (offline || short || wrongTags !== null || inviteThreshold === null) return;
        const body = {
          ...('name' in changed && { name: name.trim() }),
          ...('description' in changed && { description: description.trim() }),
          ...('rules' in changed && { rules: rules.trim() }),
          ...('tags' in changed && { tags: tagList }),
          ...('languages' in changed && { languages }),
          ...('visibility' in changed && { visibility }),
          ...('threshold' in changed && { inviteThreshold }),
        };
        save.mutate({ body, changed });
      }}
    >
      <Field
        label={m.member_start_name()}
        value={name}
        maxLength={COMMUNITY_NAME_MAX}
        error={short ? m.member_name_short() : null}
        onValue={(value) => change({ name: value })}
      />
      <TextArea
        label={m.member_start_about()}
        value={description}
        maxLength={COMMUNITY_DESCRIPTION_MAX}
        onValue={(value) => change({ description: value })}
      />
      <TextArea
        label={m.leader_rules()}
        hint={m.leader_rules_hint()}
        rows={6}
        value={rules}
        maxLength={COMMUNITY_RULES_MAX}
        onValue={(value) => change({ rules: value })}
      />
      <Field
        label={m.member_start_tags()}
        hint={m.member_start_tags_hint()}
        value={tags}
        error={wrongTags}
        onValue={(value) => change({ tags: value })}
      />
      <Languages values={languages} onValues={(languages) => change({ languages })} />
      <Select
        label={m.member_start_visibility()}
        hint={
          visibility === 'public'
            ? m.member_start_public_hint({ explore: m.shell_explore() })
            : m.member_start_private_hint()
        }
        options={[
          { value: 'public', label: m.member_visibility_public() },
          { value: 'private', label: m.member_visibility_private() },
        ]}
        value={visibility}
        onValue={(value) => change({ visibility: value })}
      />
      <Field
        label={m.leader_invite_threshold()}
        hint={m.leader_invite_threshold_hint()}
        inputMode="numeric"
        value={threshold}
        error={inviteThreshold === null ? m.leader_points_wrong({ n: number(INVITE_THRESHOLD_MAX) }) : null}
        onValue={(value) => change({ threshold: value })}
      />
      <Refused error={save.error} />
      <Button type="submit" busy={save.isPending} disabledReason={offline}>
        {m.leader_task_save()}
      </Button>
    </form>
  );
}
