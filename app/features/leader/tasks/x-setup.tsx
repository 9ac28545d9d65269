import { useQuery } from '@tanstack/react-query';
import type { TaskSetup } from '../../../../server/contract/tasks.ts';
import { isXKind, X_ABOUT_MAX, X_PASTE_MAX, X_TEXT_MAX, type XKind } from '../../../../server/contract/x-post.ts';
import { postLinkProblem } from '../../../lib/post-link.ts';
import { read } from '../../../lib/query.ts';
import { m } from '../../../paraglide/messages.js';
import { Field, TextArea } from '../../../ui/field.tsx';
import type { Problem } from './task-draft.ts';

type XSetup = Extract<TaskSetup, { kind: XKind }>;

/** What a leader sets of a task at X. */
export function XFields(props: { setup: XSetup; found: ReadonlySet<Problem>; onSetup: (setup: XSetup) => void }) {
  const { setup, found, onSetup } = props;
  if (setup.kind === 'x_follow')
    return (
      <Field
        label={m.xtask_setup_handle()}
        hint={m.xtask_setup_handle_hint()}
        error={found.has('x_handle') ? m.xtask_setup_handle_wrong() : null}
        value={setup.handle}
        maxLength={40}
        autoCapitalize="none"
        spellCheck={false}
        onValue={(handle) => onSetup({ ...setup, handle })}
      />
    );
  const about = (
    <TextArea
      label={m.xtask_setup_about()}
      hint={m.xtask_setup_about_hint()}
      rows={2}
      maxLength={X_ABOUT_MAX}
      value={setup.about}
      error={found.has('x_nothing') ? m.xtask_setup_post_empty() : null}
      onValue={(text) => onSetup({ ...setup, about: text })}
    />
  );
  if (setup.kind === 'x_post')
    return (
      <>
        {about}
        <TextArea
          label={m.xtask_setup_text()}
          hint={m.xtask_setup_text_hint()}
          rows={3}
          maxLength={X_TEXT_MAX}
          value={setup.text}
          onValue={(text) => onSetup({ ...setup, text })}
        />
        <Field
          label={m.xtask_setup_hashtag()}
          hint={m.xtask_setup_hashtag_hint()}
          error={found.has('x_hashtag') ? m.xtask_setup_hashtag_wrong() : null}
          value={setup.hashtag}
          maxLength={51}
          autoCapitalize="none"
          spellCheck={false}
          onValue={(hashtag) => onSetup({ ...setup, hashtag })}
        />
      </>
    );
  return (
    <>
      <Field
        label={m.xtask_setup_post()}
        hint={m.xtask_setup_post_hint()}
        inputMode="url"
        error={found.has('x_post') ? postLinkProblem(setup.post) : null}
        value={setup.post}
        maxLength={X_PASTE_MAX}
        autoCapitalize="none"
        spellCheck={false}
        onValue={(post) => onSetup({ ...setup, post })}
      />
      {about}
    </>
  );
}

/** Why a task at X gives no points here, or that it may. */
export function XPointsNote({ communityId, setup }: { communityId: string; setup: TaskSetup }) {
  const isX = isXKind(setup.kind);
  const { data } = useQuery({ ...read('GET /api/communities/:communityId/x', { communityId }), enabled: isX });
  if (!isX) return null;
  const who = data?.byEnvironment ? m.xtask_points_switch() : m.xtask_points_environment();
  return (
    <p className="text-small text-muted">{data?.givesPoints ? m.xtask_points_on() : m.xtask_points_off({ who })}</p>
  );
}
