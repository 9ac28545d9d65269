import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { DeskCommunityDetail } from '../../../../server/contract/desk.ts';
import { IMPORT_LINES_FIRST } from '../../../../server/contract/import-limits.ts';
import { SEARCH_MAX } from '../../../../server/contract/limits.ts';
import { number } from '../../../lib/format.ts';
import { call } from '../../../lib/http.ts';
import { read } from '../../../lib/query.ts';
import { readsOf } from '../../../lib/query-keys.ts';
import { m } from '../../../paraglide/messages.js';
import { Field, Select } from '../../../ui/field.tsx';
import { type DeskAction, DeskActions, type Fields } from '../desk-actions.tsx';
import { type End, endField, untilOf } from '../ends.tsx';
import { useXBudget } from './x-budget.tsx';

/** Target of the page's header link. */
export const ACTIONS_ID = 'community-actions';

/** Administrators' actions on a community. */
export function CommunityActions({ community }: { community: DeskCommunityDetail }) {
  const client = useQueryClient();
  const xBudget = useXBudget(community);
  const { suspension } = community;
  const actions = [
    ...(suspension ? [restoreOf(community)] : []),
    suspendOf(community),
    handOverOf(community),
    ...(suspension && !community.featuredAt ? [] : [featureOf(community)]),
    ...(community.visibility === 'public' ? [countOf(community)] : []),
    importsOf(community),
    xBudget,
  ];
  return (
    <DeskActions
      id={ACTIONS_ID}
      about={`community:${community.id}`}
      actions={actions}
      onDone={() =>
        void client.invalidateQueries(
          readsOf([
            'GET /api/admin/communities',
            'GET /api/admin/communities/:placeId',
            'GET /api/admin/communities/:placeId/x',
            'GET /api/communities',
          ]),
        )
      }
      note={m.desk_every_act()}
    />
  );
}

const suspendOf = ({ id, name, suspension }: DeskCommunityDetail): DeskAction<{ end: End }> => ({
  name: 'suspend',
  icon: 'warning',
  title: suspension ? m.people_resuspend() : m.people_suspend(),
  line: m.people_suspend_line(),
  hint: m.desk_suspend_read(),
  happens: [m.desk_suspend_1(), m.desk_suspend_2(), m.desk_suspend_3(), m.desk_suspend_4()],
  done: () => m.people_suspend_done({ who: name }),
  isGrave: true,
  ...endField,
  run: ({ reason, end }, idempotencyKey) =>
    call('POST /api/admin/communities/:placeId/suspension', {
      params: { placeId: id },
      body: { reason, until: untilOf(end) },
      idempotencyKey,
    }),
});

const restoreOf = ({ id, name }: DeskCommunityDetail): DeskAction => ({
  name: 'restore',
  icon: 'retry',
  title: m.people_restore(),
  line: m.people_restore_line(),
  hint: m.desk_reason_kept(),
  happens: [m.desk_restore_1()],
  done: () => m.people_restore_done({ who: name }),
  run: ({ reason }, idempotencyKey) =>
    call('POST /api/admin/communities/:placeId/restoration', {
      params: { placeId: id },
      body: { reason },
      idempotencyKey,
    }),
});

const featureOf = ({ id, name, featuredAt }: DeskCommunityDetail): DeskAction => ({
  name: 'feature',
  icon: 'explore',
  title: featuredAt ? m.desk_unfeature() : m.desk_feature(),
  line: featuredAt ? m.desk_unfeature_line() : m.desk_feature_line(),
  hint: m.desk_reason_kept(),
  happens: featuredAt ? [m.desk_unfeature_1()] : [m.desk_feature_1(), m.desk_feature_2()],
  done: () => (featuredAt ? m.desk_unfeature_done({ who: name }) : m.desk_feature_done({ who: name })),
  run: ({ reason }, idempotencyKey) =>
    call('PUT /api/admin/communities/:placeId/featured', {
      params: { placeId: id },
      body: { featured: featuredAt === null, reason },
      idempotencyKey,
    }),
});

const countOf = ({ id, name, counts }: DeskCommunityDetail): DeskAction => ({
  name: 'count',
  icon: 'board',
  title: counts ? m.desk_uncount() : m.desk_count(),
  line: counts ? m.desk_uncount_line() : m.desk_count_line(),
  hint: m.desk_reason_kept(),
  happens: counts ? [m.desk_uncount_1()] : [m.desk_count_1(), m.desk_count_2()],
  done: () => (counts ? m.desk_uncount_done({ who: name }) : m.desk_count_done({ who: name })),
  run: ({ reason }, idempotencyKey) =>
    call('PUT /api/admin/instance-board', { body: { communityId: id, counts: !counts, reason }, idempotencyKey }),
});

const importsOf = ({ id, name, largeImportsAt }: DeskCommunityDetail): DeskAction => ({
  name: 'imports',
  icon: 'inbox',
  title: largeImportsAt ? m.desk_imports_small() : m.desk_imports_large(),
  line: largeImportsAt ? m.desk_imports_small_line() : m.desk_imports_large_line(),
  hint: m.desk_reason_kept(),
  happens: largeImportsAt
    ? [m.desk_imports_small_1({ limit: number(IMPORT_LINES_FIRST) })]
    : [m.desk_imports_large_1(), m.desk_imports_large_2()],
  done: () => (largeImportsAt ? m.desk_imports_small_done({ who: name }) : m.desk_imports_large_done({ who: name })),
  run: ({ reason }, idempotencyKey) =>
    call('PUT /api/admin/communities/:placeId/large-imports', {
      params: { placeId: id },
      body: { allowed: largeImportsAt === null, reason },
      idempotencyKey,
    }),
});

type HandOver = { search: string; userId: string; who: string; others: 'stay' | 'member' };

const handOverOf = ({ id, name }: DeskCommunityDetail): DeskAction<HandOver> => ({
  name: 'hand-over',
  icon: 'you',
  title: m.desk_hand_over(),
  line: m.desk_hand_over_line(),
  hint: m.desk_hand_over_read(),
  happens: [m.desk_hand_over_1(), m.desk_hand_over_2()],
  done: () => m.desk_hand_over_done({ who: name }),
  act: ({ who }) => (who === '' ? m.desk_hand_over() : m.desk_hand_over_to({ who })),
  more: { search: '', userId: '', who: '', others: 'stay' },
  blocked: ({ userId }) => (userId === '' ? m.desk_hand_over_choose() : null),
  fields: (form) => (
    <>
      <NewLeader form={form} />
      <Select
        label={m.desk_hand_over_others()}
        options={[
          { value: 'stay', label: m.desk_hand_over_stay() },
          { value: 'member', label: m.desk_hand_over_member() },
        ]}
        {...form.field('others')}
      />
    </>
  ),
  run: ({ userId, others, reason }, idempotencyKey) =>
    call('POST /api/admin/communities/:placeId/handover', {
      params: { placeId: id },
      body: { userId, others, reason },
      idempotencyKey,
    }),
});

/** Finds and chooses the next leader. */
function NewLeader({ form }: { form: Fields<HandOver> }) {
  const { search, userId } = form.values;
  const words = search.trim();
  const { data } = useQuery({
    ...read('GET /api/admin/people', undefined, { search: words }),
    enabled: words !== '',
    staleTime: 0,
    gcTime: 0,
  });
  const found = data?.items ?? [];
  return (
    <>
      <Field
        label={m.desk_hand_over_find()}
        hint={m.people_find_hint()}
        type="search"
        maxLength={SEARCH_MAX}
        value={search}
        onValue={(text) => form.change({ search: text, userId: '', who: '' })}
      />
      {words !== '' && (
        <Select
          label={m.desk_hand_over_who()}
          options={[
            { value: '', label: found.length === 0 ? m.desk_hand_over_nobody() : m.desk_hand_over_choose_one() },
            ...found.map((one) => ({
              value: one.id,
              label: one.telegramUsername ? `${one.displayName} (@${one.telegramUsername})` : one.displayName,
            })),
          ]}
          value={userId}
          onValue={(chosen) =>
            form.change({ userId: chosen, who: found.find((one) => one.id === chosen)?.displayName ?? '' })
          }
        />
      )}
    </>
  );
}
