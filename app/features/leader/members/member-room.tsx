import './member-room.css';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { CommunityRole } from '../../../../server/contract/community.ts';
import { ADJUSTMENT_MAX, DECISION_REASON_MAX } from '../../../../server/contract/limits.ts';
import type { Member } from '../../../../server/contract/members.ts';
import { seenLength } from '../../../../server/contract/seen-length.ts';
import { number, signed } from '../../../lib/format.ts';
import { read } from '../../../lib/query.ts';
import { m } from '../../../paraglide/messages.js';
import { Form, useForm } from '../../../shared/commands/form.tsx';
import { roleWord, whenWord } from '../../../shared/tasks/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, Select, TextArea } from '../../../ui/field.tsx';
import { Hatch } from '../../../ui/icon.tsx';
import { type Asking, REASON_MIN, ReasonDialog } from '../../../ui/reason-dialog.tsx';
import { Reading } from '../../../ui/states.tsx';
import { adjust, remove, setRole } from '../parts/commands.ts';
import { PendingList, usePending } from '../parts/pending.tsx';
import { TrustSum } from '../review/trust-sum.tsx';

const ROLES = ['member', 'moderator', 'leader'] as const satisfies readonly CommunityRole[];
/** A member's page for leaders: record, trust, points by hand, role, removal. */
export function MemberRoom(props: { communityId: string; member: Member; onGone: () => void }) {
  const { communityId, member } = props;
  const [asking, setAsking] = useState<Asking | null>(null);
  const close = useCallback(() => setAsking(null), []);
  const detail = useQuery(
    read('GET /api/communities/:communityId/members/:userId', { communityId, userId: member.id }),
  );
  const pending = usePending(
    communityId,
    (subject) => (subject.kind === 'member' || subject.kind === 'points') && subject.userId === member.id,
  );
  return (
    <div className="stack-large">
      <Reading query={detail}>
        {(found) => (
          <>
            <p className="text-small text-muted">
              {m.leader_member_record({
                approved: number(found.approved),
                rejected: number(found.rejected),
                reversed: number(found.reversed),
              })}
              {found.invitedBy && ` ${m.leader_invited_by({ who: found.invitedBy })}`}
            </p>
            <section>
              <div className="flex-row">
                <h3 className="flex-grow">{m.leader_trust()}</h3>
                <b className="numeric">{m.leader_trust_of({ n: number(found.trust.score) })}</b>
              </div>
              <Hatch done={found.trust.score / 100} label={m.leader_trust_label({ n: number(found.trust.score) })} />
              <p className="text-tiny text-muted">{m.leader_trust_line()}</p>
              <TrustSum trust={found.trust} />
            </section>
          </>
        )}
      </Reading>
      {pending.length > 0 && <PendingList entries={pending} />}
      {member.role !== 'leader' && <AdjustForm communityId={communityId} member={member} onSent={props.onGone} />}
      <section className="form-stack">
        <RoleChoice key={member.role} communityId={communityId} member={member} onSent={props.onGone} />
        <Button
          kind="no"
          onClick={() =>
            setAsking({
              about: `remove:${communityId}:${member.id}`,
              title: m.leader_remove_title({ who: member.displayName }),
              action: m.leader_remove(),
              hint: m.leader_remove_hint(),
              presets: [m.leader_preset_asked(), m.leader_preset_rules(), m.leader_preset_bot()],
              onReason: async (reason) => {
                props.onGone();
                return (await remove(communityId, member, reason)) !== null;
              },
            })
          }
        >
          {m.leader_remove()}
        </Button>
      </section>
      <MemberLedger communityId={communityId} userId={member.id} />
      <ReasonDialog asking={asking} onClose={close} />
    </div>
  );
}

/** Chosen first, then sent by a button: arrow keys pass through the roles, and must not change one. */
function RoleChoice({ communityId, member, onSent }: { communityId: string; member: Member; onSent: () => void }) {
  const [role, setChosen] = useState<CommunityRole>(member.role);
  return (
    <>
      <Select
        label={m.leader_role()}
        hint={m.leader_role_hint()}
        options={ROLES.map((value) => ({ value, label: roleWord(value) }))}
        value={role}
        onValue={setChosen}
      />
      {role !== member.role && (
        <Button
          kind="edge"
          onClick={() => {
            void setRole(communityId, member, role);
            onSent();
          }}
        >
          {m.leader_role_send({ role: roleWord(role) })}
        </Button>
      )}
    </>
  );
}

function AdjustForm({ communityId, member, onSent }: { communityId: string; member: Member; onSent: () => void }) {
  const form = useForm({
    draft: `adjust:${communityId}:${member.id}`,
    initial: { points: '', reason: '' },
    problems: ({ points, reason }) => {
      const size = /^[+-]?\d{1,6}$/.test(points.trim()) ? Math.abs(Number(points)) : 0;
      return {
        points: size === 0 || size > ADJUSTMENT_MAX ? m.leader_adjust_wrong({ n: number(ADJUSTMENT_MAX) }) : null,
        reason: seenLength(reason) < REASON_MIN ? m.leader_reason_short({ n: number(REASON_MIN) }) : null,
      };
    },
    body: ({ points, reason }) => ({ points: Number(points), reason: reason.trim() }),
    send: ({ points, reason }) => adjust(communityId, member, points, reason),
    // Later messages appear behind the sheet.
    done: onSent,
    isQueued: true,
  });
  return (
    <Form form={form} act={m.leader_adjust_send()} kind="edge" isWide>
      <h3>{m.leader_adjust()}</h3>
      <Field
        label={m.leader_adjust_points()}
        hint={m.leader_adjust_hint()}
        inputMode="text"
        {...form.field('points')}
      />
      <TextArea
        label={m.leader_reason()}
        hint={m.leader_grant_hint()}
        rows={2}
        maxLength={DECISION_REASON_MAX}
        {...form.field('reason')}
      />
    </Form>
  );
}

function MemberLedger({ communityId, userId }: { communityId: string; userId: string }) {
  const ledger = useQuery(read('GET /api/communities/:communityId/ledger', { communityId }, { userId }));
  return (
    <section>
      <h3>{m.leader_ledger()}</h3>
      <Reading query={ledger}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="text-small text-muted">{m.leader_ledger_empty()}</p>
          ) : (
            <ul className="ruled-list">
              {items.map((entry) => (
                <li key={entry.id} className="flex-row member-signal">
                  <div className="flex-grow">
                    <p className="text-small">{entry.task ?? entry.reason ?? m.leader_ledger_by_hand()}</p>
                    <p className="text-tiny text-muted">
                      {[whenWord(entry.at), entry.by, entry.task ? entry.reason : null].filter(Boolean).join(' · ')}
                    </p>
                  </div>
                  <bdi dir="ltr" className={entry.points < 0 ? 'numeric member-minus' : 'numeric'}>
                    {signed(entry.points)}
                  </bdi>
                </li>
              ))}
            </ul>
          )
        }
      </Reading>
    </section>
  );
}
