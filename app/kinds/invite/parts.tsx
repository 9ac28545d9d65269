import { useQuery } from '@tanstack/react-query';
import { number } from '../../lib/format.ts';
import { read } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { AnswerForm, type FormProps, useAnswer } from '../../shared/answers/answer-form.tsx';
import { InviteLink } from '../../shared/communities/invite-link.tsx';
import { Hatch } from '../../ui/icon.tsx';
import { Reading } from '../../ui/states.tsx';
import type { AskOf, MemberParts } from '../kind.ts';

export const inviteParts: MemberParts<'invite'> = { Form: InviteForm };

const progressWords = (done: number, needed: number): string =>
  m.member_invite_progress({ done: number(done), needed: number(needed) });

/** The member's invite link, who joined with it, and how many count so far. */
function InviteForm({ ask, ...props }: FormProps & { ask: AskOf<'invite'> }) {
  const { form, send } = useAnswer(props);
  const query = useQuery(read('GET /api/communities/:communityId/invite', { communityId: props.communityId }));
  const qualified = query.data?.qualified ?? 0;
  const left = Math.max(0, ask.needed - qualified);
  return (
    <AnswerForm
      {...form}
      missing={query.data && left > 0 ? m.member_invite_left({ count: left, n: number(left) }) : null}
      onSend={() => void send({ kind: 'invite' })}
      icon="check"
      label={m.member_invite_count()}
    >
      <Reading query={query}>
        {(invite) => (
          <>
            <div>
              <p>{progressWords(invite.qualified, ask.needed)}</p>
              <Hatch done={invite.qualified / ask.needed} label={progressWords(invite.qualified, ask.needed)} />
            </div>
            <InviteLink invite={invite} />
          </>
        )}
      </Reading>
    </AnswerForm>
  );
}
