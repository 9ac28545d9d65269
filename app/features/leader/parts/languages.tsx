import { useRef } from 'react';
import { COMMUNITY_TAGS_MAX } from '../../../../server/contract/limits.ts';
import { number } from '../../../lib/format.ts';
import { m } from '../../../paraglide/messages.js';
import { getLocale } from '../../../paraglide/runtime.js';
import { languageWord } from '../../../shared/tasks/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Select } from '../../../ui/field.tsx';

/** Common languages of communities, by ISO 639 code. */
const LANGUAGES =
  'am ar az be bg bn ca cs da de el en es et fa fi fil fr ha he hi hr hu hy id it ja ka kk ko lt lv ms my ne nl no pl pt ro ru sk sl sq sr sv sw ta te th tr uk ur uz vi yo zh zu'.split(
    ' ',
  );

/** The device's language if it is listed, as a new community's default. */
export const ownLanguages = (): string[] => LANGUAGES.filter((code) => navigator.language?.split('-')[0] === code);

/** A community's languages: added one at a time, removed by a press. */
export function Languages({ values, onValues }: { values: readonly string[]; onValues: (values: string[]) => void }) {
  const word = (code: string) => languageWord(code, getLocale());
  const list = useRef<HTMLDivElement>(null);
  const isFull = values.length >= COMMUNITY_TAGS_MAX;
  const left = LANGUAGES.filter((code) => !isFull && !values.includes(code))
    .map((code) => ({ value: code, label: word(code) }))
    .sort((a, b) => a.label.localeCompare(b.label, getLocale()));
  return (
    <div ref={list} className="stack">
      <Select
        label={m.leader_languages()}
        hint={
          isFull
            ? m.leader_languages_full({ n: number(COMMUNITY_TAGS_MAX) })
            : m.leader_languages_hint({ explore: m.shell_explore() })
        }
        options={[{ value: '', label: m.leader_languages_add() }, ...left]}
        value=""
        onValue={(code) => code !== '' && onValues([...values, code])}
      />
      <div className="flex-row flex-wrap">
        {values.map((code) => (
          <Button
            key={code}
            kind="edge"
            icon="close"
            aria-label={m.leader_languages_remove({ language: word(code) })}
            onClick={() => {
              onValues(values.filter((one) => one !== code));
              // The pressed button disappears with its language, so the focus moves to the list.
              list.current?.querySelector('select')?.focus();
            }}
          >
            {word(code)}
          </Button>
        ))}
      </div>
    </div>
  );
}
