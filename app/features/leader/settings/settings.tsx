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
import { call } from '../../../lib/http.ts';
import { read } from '../../../lib/query.ts';
import { m } from '../../../paraglide/messages.js';
import { Form, useForm, wholeProblem } from '../../../shared/commands/form.tsx';
import { Card } from '../../../ui/card.tsx';
import { Field, Select, TextArea } from '../../../ui/field.tsx';
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

/** The fields as typed. */
const typedOf = ({ name, description, rules, tags, languages, visibility, inviteThreshold }: CommunityDetail) => ({
  name,
  description,
  rules,
  tags: tags.join(', '),
  languages,
  visibility,
  inviteThreshold: String(inviteThreshold),
});

function SettingsForm({ detail }: { detail: CommunityDetail }) {
  const client = useQueryClient();
  const form = useForm({
    draft: `settings:${detail.id}`,
    initial: typedOf(detail),
    atOnce: ['name', 'tags', 'inviteThreshold'],
    problems: ({ name, tags, inviteThreshold }) => ({
      name: seenLength(name) < 2 ? m.member_name_short() : null,
      tags: tagsWrong(tagsIn(tags)),
      inviteThreshold: wholeProblem(inviteThreshold, 0, INVITE_THRESHOLD_MAX),
    }),
    body: ({ name, description, rules, tags, languages, visibility, inviteThreshold }) => ({
      name: name.trim(),
      description: description.trim(),
      rules: rules.trim(),
      tags: tagsIn(tags),
      languages,
      visibility,
      inviteThreshold: Number(inviteThreshold),
    }),
    // Another leader may change the other fields, so only changes are sent.
    send: async (body, idempotencyKey, before) => {
      const changes = changesOf(before, body);
      const params = { communityId: detail.id };
      return {
        ...changes,
        ...(await call('PATCH /api/communities/:communityId', { params, body: changes, idempotencyKey })),
      };
    },
    done: (saved) => {
      client.setQueryData(readingOf(detail.id).queryKey, (found) => found && { ...found, ...saved });
      toast({ icon: 'check', title: m.leader_settings_saved() });
    },
  });
  return (
    <Form form={form} act={m.leader_task_save()} isWide>
      <Field label={m.member_start_name()} maxLength={COMMUNITY_NAME_MAX} {...form.field('name')} />
      <TextArea label={m.member_start_about()} maxLength={COMMUNITY_DESCRIPTION_MAX} {...form.field('description')} />
      <TextArea
        label={m.leader_rules()}
        hint={m.leader_rules_hint()}
        rows={6}
        maxLength={COMMUNITY_RULES_MAX}
        {...form.field('rules')}
      />
      <Field label={m.member_start_tags()} hint={m.member_start_tags_hint()} {...form.field('tags')} />
      <Languages values={form.values.languages} onValues={(languages) => form.change({ languages })} />
      <Select
        label={m.member_start_visibility()}
        hint={
          form.values.visibility === 'public'
            ? m.member_start_public_hint({ explore: m.shell_explore() })
            : m.member_start_private_hint()
        }
        options={[
          { value: 'public', label: m.member_visibility_public() },
          { value: 'private', label: m.member_visibility_private() },
        ]}
        {...form.field('visibility')}
      />
      <Field
        label={m.leader_invite_threshold()}
        hint={m.leader_invite_threshold_hint()}
        inputMode="numeric"
        {...form.field('inviteThreshold')}
      />
    </Form>
  );
}
