import './saved-replies.css';
import { useQuery } from '@tanstack/react-query';
import { DECISION_REASON_MAX, SAVED_REPLIES_MAX } from '../../../../server/contract/limits.ts';
import type { Decision, SavedReplies } from '../../../../server/contract/review.ts';
import { seenLength } from '../../../../server/contract/seen-length.ts';
import { number } from '../../../lib/format.ts';
import { call } from '../../../lib/http.ts';
import { read } from '../../../lib/query.ts';
import { m } from '../../../paraglide/messages.js';
import { Form, useForm } from '../../../shared/commands/form.tsx';
import { useNeedsConnection } from '../../../shared/commands/use-command.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { TextArea } from '../../../ui/field.tsx';
import { REASON_MIN } from '../../../ui/reason-dialog.tsx';
import { Sheet } from '../../../ui/sheet.tsx';
import { toast } from '../../../ui/toast.tsx';

export type Explained = Exclude<Decision, 'approve'>;
const OWN: Record<Explained, readonly (() => string)[]> = {
  reject: [m.leader_preset_unclear, m.leader_preset_other, m.leader_preset_late, m.leader_preset_copied],
  request_changes: [m.leader_preset_more, m.leader_preset_photo, m.leader_preset_link, m.leader_preset_unclear],
};
const own = (): SavedReplies => ({
  reject: OWN.reject.map((words) => words()),
  request_changes: OWN.request_changes.map((words) => words()),
});

/** The saved replies of a community's leaders; by default the app's own. */
export function useReplies(communityId: string): SavedReplies {
  const { data } = useQuery(read('GET /api/communities/:communityId/saved-replies', { communityId }));
  return data ?? own();
}

const LISTS = ['request_changes', 'reject'] as const satisfies readonly Explained[];
const TITLES = { request_changes: m.leader_replies_changes, reject: m.leader_replies_reject } as const;

/** Edits the replies that all reviewers of the community are offered. */
export function RepliesSheet(props: {
  communityId: string;
  replies: SavedReplies;
  open: boolean;
  onClose: () => void;
}) {
  return (
    <Sheet title={m.leader_replies()} open={props.open} onClose={props.onClose}>
      {props.open && <RepliesForm {...props} />}
    </Sheet>
  );
}

/** An emptied reply is dropped. */
const written = (texts: readonly string[]) => texts.map((text) => text.trim()).filter((text) => text !== '');

function RepliesForm({
  communityId,
  replies,
  onClose,
}: {
  communityId: string;
  replies: SavedReplies;
  onClose: () => void;
}) {
  const form = useForm({
    draft: `replies:${communityId}`,
    initial: () => replies,
    blocked: (draft) =>
      LISTS.some((list) => written(draft[list]).some((text) => seenLength(text) < REASON_MIN))
        ? m.leader_reason_short({ n: number(REASON_MIN) })
        : null,
    body: (draft) => ({ reject: written(draft.reject), request_changes: written(draft.request_changes) }),
    send: (body, idempotencyKey) =>
      call('PUT /api/communities/:communityId/saved-replies', { params: { communityId }, body, idempotencyKey }),
    done: () => {
      onClose();
      toast({ icon: 'check', title: m.leader_replies_saved() });
    },
  });
  const offline = useNeedsConnection();
  const { values: draft, change } = form;
  return (
    <Form form={form} act={m.leader_replies_save()} onLeave={onClose}>
      <p className="text-small text-muted">{m.leader_replies_line()}</p>
      {LISTS.map((list) => {
        const put = (texts: string[]) => change({ [list]: texts });
        return (
          <fieldset key={list} className="form-group">
            <legend>{TITLES[list]()}</legend>
            {draft[list].map((text, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: replies are identified by their index
              <div key={at} className="saved-replies__line">
                <TextArea
                  label={m.leader_reply({ n: number(at + 1) })}
                  rows={2}
                  maxLength={DECISION_REASON_MAX}
                  value={text}
                  onValue={(words) => put(draft[list].with(at, words))}
                />
                <IconButton
                  icon="discard"
                  label={m.leader_reply_remove({ n: number(at + 1) })}
                  onClick={() => put(draft[list].toSpliced(at, 1))}
                />
              </div>
            ))}
            {draft[list].length < SAVED_REPLIES_MAX && (
              <Button kind="words" icon="plus" onClick={() => put([...draft[list], ''])}>
                {m.leader_reply_add()}
              </Button>
            )}
          </fieldset>
        );
      })}
      {offline !== null && <p className="text-small text-muted">{m.leader_replies_offline()}</p>}
    </Form>
  );
}
