import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { NewCommunity } from '../../../server/contract/communities.ts';
import {
  COMMUNITY_DESCRIPTION_MAX,
  COMMUNITY_NAME_MAX,
  COMMUNITY_TAGS_MAX,
  SLUG_MAX,
  SLUG_MIN,
} from '../../../server/contract/limits.ts';
import { call, HttpError } from '../../lib/http.ts';
import { product } from '../../lib/product.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../../ui/button.tsx';
import { Quote } from '../../ui/card.tsx';
import { Field, Select, TextArea } from '../../ui/field.tsx';
import { number } from '../../ui/format.ts';
import { Sheet } from '../../ui/sheet.tsx';
import { toast } from '../../ui/toast.tsx';
import { readAfresh } from '../engagement/afresh.ts';
import { refusalWords } from '../engagement/refusal-words.ts';
import { useCommandKey } from '../engagement/use-command-key.ts';
import { type SlugProblem, slugProblem, suggestSlug } from './slug.ts';
import '../engagement/engagement.css';

/** Where somebody verified starts a community and becomes its leader. Needs a connection: the address is given once. */
export function StartSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Sheet title={m.member_start()} open={open} onClose={onClose}>
      {open && <StartForm onDone={onClose} />}
    </Sheet>
  );
}

const NAME_MIN = 2;
const problemWords: Record<SlugProblem, () => string> = {
  short: () => m.member_slug_short({ n: number(SLUG_MIN) }),
  long: () => m.member_slug_long({ n: number(SLUG_MAX) }),
  characters: m.member_slug_characters,
  hyphens: m.member_slug_hyphens,
  numeric: m.member_slug_numeric,
  reserved: m.member_slug_reserved,
};
const tagsIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,\n]/)
      .map((tag) => tag.trim().toLowerCase())
      .filter(Boolean),
  ),
];

function StartForm({ onDone }: { onDone: () => void }) {
  const [name, setName] = useState('');
  const [ownSlug, setOwnSlug] = useState<string | null>(null);
  const [description, setDescription] = useState('');
  const [tags, setTags] = useState('');
  const [visibility, setVisibility] = useState<'public' | 'private'>('public');
  const [tried, setTried] = useState(false);
  const keyFor = useCommandKey();
  const client = useQueryClient();
  const navigate = useNavigate();
  const slug = ownSlug ?? suggestSlug(name);
  const wrong = slugProblem(slug, product.slug);
  const tagList = tagsIn(tags);
  const start = useMutation({
    mutationFn: (body: NewCommunity) => call('POST /api/communities', { body, idempotencyKey: keyFor(body) }),
    onSuccess: async (community) => {
      toast({ mark: 'ink', title: m.member_started({ community: community.name }), line: m.member_started_line() });
      onDone();
      void readAfresh(client);
      await navigate({ to: `/community/${community.slug}/admin`, search: { tab: 'tasks' } });
    },
  });
  const taken =
    start.error instanceof HttpError && /^SLUG/.test(start.error.reason) && start.variables?.slug === slug
      ? start.error.message
      : null;
  const nameProblem = tried && name.trim().length < NAME_MIN ? m.member_name_short() : null;
  const tagProblem = tagList.length > COMMUNITY_TAGS_MAX ? m.member_tags_many({ n: number(COMMUNITY_TAGS_MAX) }) : null;
  function send() {
    setTried(true);
    if (name.trim().length < NAME_MIN || wrong !== null || tagProblem !== null) return;
    start.mutate({ name: name.trim(), slug, description: description.trim(), tags: tagList, visibility });
  }
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Field
        label={m.member_start_name()}
        value={name}
        maxLength={COMMUNITY_NAME_MAX}
        autoComplete="off"
        error={nameProblem}
        onValue={setName}
      />
      <Field
        label={m.member_start_slug()}
        hint={slug === '' ? m.member_start_slug_hint() : `${location.host}/${slug}/dashboard`}
        error={taken ?? (wrong !== null && (slug !== '' || tried) ? problemWords[wrong]() : null)}
        value={slug}
        maxLength={SLUG_MAX}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onValue={(value) => setOwnSlug(value.toLowerCase())}
      />
      <TextArea
        label={m.member_start_about()}
        hint={m.member_start_about_hint()}
        value={description}
        maxLength={COMMUNITY_DESCRIPTION_MAX}
        onValue={setDescription}
      />
      <Field
        label={m.member_start_tags()}
        hint={m.member_start_tags_hint()}
        error={tagProblem}
        value={tags}
        onValue={setTags}
      />
      <Select
        label={m.member_start_visibility()}
        hint={visibility === 'public' ? m.member_start_public_hint() : m.member_start_private_hint()}
        options={[
          { value: 'public', label: m.member_visibility_public() },
          { value: 'private', label: m.member_visibility_private() },
        ]}
        value={visibility}
        onValue={setVisibility}
      />
      {start.error !== null && taken === null && <Quote lead={m.member_not_done()}>{refusalWords(start.error)}</Quote>}
      <Button type="submit" busy={start.isPending}>
        {m.member_start_button()}
      </Button>
    </form>
  );
}
