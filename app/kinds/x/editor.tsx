import { useQuery } from '@tanstack/react-query';
import { handleOf, postIn, X_ABOUT_MAX, X_HASHTAG, X_PASTE_MAX, X_TEXT_MAX } from '../../../server/contract/x-post.ts';
import { postLinkProblem } from '../../lib/post-link.ts';
import { read } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { whenWord } from '../../shared/tasks/words.ts';
import { Field, TextArea } from '../../ui/field.tsx';
import type { FieldsProps, LeaderParts, SetupOf } from '../kind.ts';
import { AnswerLink } from '../reviewed.tsx';

type AboutPost = SetupOf<'x_like' | 'x_repost' | 'x_reply' | 'x_quote'>;

// X forbids rewards for actions on X.
const onX = { usualPoints: 0, PointsNote };

export const xFollowEditor: LeaderParts<'x_follow'> = {
  ...onX,
  hint: m.xtask_hint_act,
  empty: () => ({ kind: 'x_follow', handle: '' }),
  problems: ({ handle }) => (handleOf(handle) === null ? ['x_handle'] : []),
  tidy: (setup) => ({ ...setup, handle: handleOf(setup.handle) ?? setup.handle }),
  preview: (setup) => setup,
  Fields: FollowFields,
  Reviewed: ({ ask, evidence }) => <Done at={`https://x.com/${ask.handle}`} doneAt={evidence.doneAt} />,
};

/** Shared by the four kinds about a post. */
const aboutPost = {
  ...onX,
  problems: ({ post }: AboutPost) => (postIn(post) ? [] : ['x_post']),
  tidy: <Setup extends AboutPost>(setup: Setup): Setup => ({
    ...setup,
    post: postIn(setup.post)?.url ?? setup.post,
    about: setup.about.trim(),
  }),
  preview: <Setup extends AboutPost>(setup: Setup): Setup => setup,
  Fields: AboutPostFields,
};
export const xLikeEditor: LeaderParts<'x_like'> = {
  ...aboutPost,
  hint: m.xtask_hint_act,
  empty: () => ({ kind: 'x_like', post: '', about: '' }),
  Reviewed: ({ ask, evidence }) => <Done at={ask.post} doneAt={evidence.doneAt} />,
};
export const xRepostEditor: LeaderParts<'x_repost'> = {
  ...aboutPost,
  hint: m.xtask_hint_act,
  empty: () => ({ kind: 'x_repost', post: '', about: '' }),
  Reviewed: ({ ask, evidence }) => <Done at={ask.post} doneAt={evidence.doneAt} />,
};
export const xReplyEditor: LeaderParts<'x_reply'> = {
  ...aboutPost,
  hint: m.xtask_hint_post,
  empty: () => ({ kind: 'x_reply', post: '', about: '' }),
  Reviewed: ({ ask, evidence }) => <Written about={ask.post} at={evidence.url} />,
};
export const xQuoteEditor: LeaderParts<'x_quote'> = {
  ...aboutPost,
  hint: m.xtask_hint_post,
  empty: () => ({ kind: 'x_quote', post: '', about: '' }),
  Reviewed: ({ ask, evidence }) => <Written about={ask.post} at={evidence.url} />,
};

export const xPostEditor: LeaderParts<'x_post'> = {
  ...onX,
  hint: m.xtask_hint_post,
  empty: () => ({ kind: 'x_post', text: '', hashtag: '', about: '' }),
  problems: postProblems,
  tidy: (setup) => ({
    ...setup,
    text: setup.text.trim(),
    hashtag: hashtagIn(setup.hashtag),
    about: setup.about.trim(),
  }),
  preview: (setup) => setup,
  Fields: PostFields,
  Reviewed: ({ evidence }) => <AnswerLink to={evidence.url} />,
};

const hashtagIn = (text: string): string => text.trim().replace(/^#/, '');

function postProblems({ text, hashtag, about }: SetupOf<'x_post'>): string[] {
  const tag = hashtagIn(hashtag);
  if ([tag, text, about].every((one) => one.trim() === '')) return ['x_nothing'];
  return tag === '' || X_HASHTAG.test(tag) ? [] : ['x_hashtag'];
}

function FollowFields({ setup, found, onSetup }: FieldsProps<'x_follow'>) {
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
}

function AboutField(props: { about: string; found: ReadonlySet<string>; onAbout: (about: string) => void }) {
  return (
    <TextArea
      label={m.xtask_setup_about()}
      hint={m.xtask_setup_about_hint()}
      rows={2}
      maxLength={X_ABOUT_MAX}
      value={props.about}
      error={props.found.has('x_nothing') ? m.xtask_setup_post_empty() : null}
      onValue={props.onAbout}
    />
  );
}

type AboutPostProps<Setup> = { setup: Setup; found: ReadonlySet<string>; onSetup: (setup: Setup) => void };
function AboutPostFields<Setup extends AboutPost>({ setup, found, onSetup }: AboutPostProps<Setup>) {
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
      <AboutField about={setup.about} found={found} onAbout={(about) => onSetup({ ...setup, about })} />
    </>
  );
}

function PostFields({ setup, found, onSetup }: FieldsProps<'x_post'>) {
  return (
    <>
      <AboutField about={setup.about} found={found} onAbout={(about) => onSetup({ ...setup, about })} />
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
}

/** Why a task on X gives no points here, or that it may. */
function PointsNote({ communityId }: { communityId: string }) {
  const { data } = useQuery(read('GET /api/communities/:communityId/x', { communityId }));
  const who = data?.byEnvironment ? m.xtask_points_switch() : m.xtask_points_environment();
  return (
    <p className="text-small text-muted">{data?.givesPoints ? m.xtask_points_on() : m.xtask_points_off({ who })}</p>
  );
}

const Done = ({ at, doneAt }: { at: string; doneAt: string }) => (
  <>
    <AnswerLink to={at} />
    <p className="text-small">{m.xtask_said({ when: whenWord(doneAt) })}</p>
  </>
);

/** A reply or a quote, below its post. */
const Written = ({ about, at }: { about: string; at: string }) => (
  <>
    <AnswerLink to={about} />
    <AnswerLink to={at} />
  </>
);
