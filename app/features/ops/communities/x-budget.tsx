import { useQuery } from '@tanstack/react-query';
import type { DeskCommunityDetail } from '../../../../server/contract/desk.ts';
import { X_BUDGET_MAX } from '../../../../server/contract/limits.ts';
import { dollars, monthWord } from '../../../lib/dollars.ts';
import { call } from '../../../lib/http.ts';
import { read } from '../../../lib/query.ts';
import { m } from '../../../paraglide/messages.js';
import { Field } from '../../../ui/field.tsx';
import type { DeskAction } from '../desk-actions.tsx';

/** Parses a dollar amount, `12.50`, into thousandths; null when invalid. */
function thousandthsIn(text: string): number | null {
  if (!/^\d{1,5}([.,]\d{1,3})?$/.test(text.trim())) return null;
  const thousandths = Math.round(Number(text.trim().replace(',', '.')) * 1_000);
  return thousandths <= X_BUDGET_MAX ? thousandths : null;
}

/** A community's monthly limit for queries to X. */
export function useXBudget({ id, name }: DeskCommunityDetail): DeskAction<{ budget: string }> {
  const { data } = useQuery(read('GET /api/admin/communities/:placeId/x', { placeId: id }));
  const problemOf = (budget: string) => (thousandthsIn(budget) === null ? m.xtask_desk_budget_wrong() : null);
  return {
    name: 'x-budget',
    icon: 'link',
    title: m.xtask_desk_budget(),
    line: data
      ? m.xtask_desk_budget_line({
          spent: dollars(data.spent),
          budget: dollars(data.budget),
          month: monthWord(data.month),
        })
      : m.xtask_desk_budget_unread(),
    hint: m.desk_reason_kept(),
    happens: [m.xtask_desk_budget_1(), m.xtask_desk_budget_2()],
    done: () => m.xtask_desk_budget_done({ who: name }),
    more: { budget: String((data?.budget ?? 0) / 1_000) },
    blocked: ({ budget }) => problemOf(budget),
    fields: (form) => (
      <Field
        label={m.xtask_desk_budget_field()}
        hint={m.xtask_desk_budget_hint()}
        inputMode="decimal"
        maxLength={9}
        {...form.field('budget')}
        error={problemOf(form.values.budget)}
      />
    ),
    run: ({ reason, budget }, idempotencyKey) =>
      call('PUT /api/admin/communities/:placeId/x-budget', {
        params: { placeId: id },
        body: { thousandths: thousandthsIn(budget) ?? 0, reason },
        idempotencyKey,
      }),
  };
}
