import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { TASK_SENTENCE_MAX } from '../../../server/contract/limits.ts';
import { seenLength } from '../../../server/contract/seen-length.ts';
import type { TaskProposal } from '../../../server/contract/writing.ts';
import { number } from '../../lib/format.ts';
import { lastCommunity } from '../../lib/hints.ts';
import { call } from '../../lib/http.ts';
import { read, useUser } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { Refused } from '../../shared/commands/command-parts.tsx';
import { useNeedsConnection } from '../../shared/commands/use-command.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';

/** The community for which its leader may ask the instance's model, and how often today. */
export type Model = { communityId: string; left: number };
const assistant = read('GET /api/assistant');

/** Null when the instance has no model, or the viewer leads no community. */
export function useModel(): Model | null {
  const user = useUser();
  const state = useQuery({ ...assistant, enabled: user !== null });
  const mine = useQuery({ ...read('GET /api/user/communities'), enabled: user !== null });
  if (user === null || !state.data?.hasModel) return null;
  const led = mine.data?.filter(({ role }) => role === 'leader') ?? [];
  const last = lastCommunity();
  const community = led.find(({ id, slug }) => id === last || slug === last) ?? led[0];
  return community ? { communityId: community.id, left: state.data.left } : null;
}

/** A request to the model, which afterwards refetches the remaining questions. */
export function useModelCall<Body, Result>(ask: (body: Body) => Promise<Result>, done?: (result: Result) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ask,
    ...(done && { onSuccess: done }),
    onSettled: () => client.invalidateQueries({ queryKey: assistant.queryKey }),
  });
}

/** The button, why it is disabled, and errors. Below it, where the text is sent. */
export function ModelForm(props: {
  model: Model;
  command: { isPending: boolean; error: Error | null };
  disabledReason: string | null;
  line: string;
  onAsk: () => void;
  children: ReactNode;
}) {
  const { model, command } = props;
  const offline = useNeedsConnection();
  const usedUp = model.left === 0 ? m.tools_model_used_up() : null;
  return (
    <>
      <div>
        <Button
          kind="edge"
          icon="bolt"
          busy={command.isPending}
          disabledReason={offline ?? usedUp ?? props.disabledReason}
          onClick={props.onAsk}
        >
          {props.children}
        </Button>
      </div>
      <Refused error={command.error} />
      <p className="text-tiny text-muted">
        {props.line} {m.tools_model_left({ count: model.left, n: number(model.left) })}
      </p>
    </>
  );
}

/** A task from a sentence: the model drafts it, and the leader edits the draft. */
export function FromSentence({ model, onProposal }: { model: Model; onProposal: (task: TaskProposal) => void }) {
  const [sentence, setSentence] = useState('');
  const draft = useModelCall(
    () =>
      call('POST /api/communities/:communityId/task-proposals', {
        params: { communityId: model.communityId },
        body: { sentence: sentence.trim() },
      }),
    onProposal,
  );
  return (
    <>
      <TextArea
        label={m.tools_model_sentence()}
        hint={m.tools_model_sentence_hint()}
        value={sentence}
        maxLength={TASK_SENTENCE_MAX}
        rows={2}
        onValue={setSentence}
      />
      <ModelForm
        model={model}
        command={draft}
        disabledReason={seenLength(sentence) < 3 ? m.tools_use_empty() : null}
        line={m.tools_model_sentence_line()}
        onAsk={() => draft.mutate(undefined)}
      >
        {m.tools_model_draft()}
      </ModelForm>
    </>
  );
}
