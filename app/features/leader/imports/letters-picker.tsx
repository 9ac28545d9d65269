import { useState } from 'react';
import type { Encoding } from '../../../../server/contract/import-limits.ts';
import type { Letters } from '../../../../server/rules/letters.ts';
import { number } from '../../../lib/format.ts';
import { m } from '../../../paraglide/messages.js';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Choices } from '../../../ui/choices.tsx';

const SHOWN_FIRST = 6;
const SCRIPTS: Record<Encoding, () => string> = {
  'utf-8': m.import_letters_unicode,
  'utf-16le': m.import_letters_unicode,
  'utf-16be': m.import_letters_unicode,
  'windows-1250': m.import_letters_central,
  'windows-1251': m.import_letters_cyrillic,
  'windows-1252': m.import_letters_western,
  'windows-1253': m.import_letters_greek,
  'windows-1254': m.import_letters_turkish,
  'windows-1255': m.import_letters_hebrew,
  'windows-1256': m.import_letters_arabic,
  'windows-1257': m.import_letters_baltic,
  'windows-1258': m.import_letters_vietnamese,
  'windows-874': m.import_letters_thai,
  'iso-8859-2': m.import_letters_central,
  'iso-8859-5': m.import_letters_cyrillic,
  'iso-8859-7': m.import_letters_greek,
  'koi8-u': m.import_letters_cyrillic,
  'x-mac-cyrillic': m.import_letters_cyrillic,
  'iso-2022-jp': m.import_letters_japanese,
  'euc-jp': m.import_letters_japanese,
  'euc-kr': m.import_letters_korean,
  ibm866: m.import_letters_cyrillic,
  macintosh: m.import_letters_western,
  shift_jis: m.import_letters_japanese,
  gb18030: m.import_letters_chinese,
  big5: m.import_letters_chinese_traditional,
};
const nameOf = (encoding: Encoding): string => `${SCRIPTS[encoding]()} (${encoding})`;

/** Chooses a file's encoding: required where its bytes do not tell, a correction where they only seem to. */
export function LettersPicker({ letters, onPick }: { letters: Letters; onPick: (encoding: Encoding) => void }) {
  const { read, offered } = letters;
  const [isOpen, setOpen] = useState(false);
  const [areAllShown, setAllShown] = useState(false);
  if (offered.length === 0) return null;
  if (read !== null && !isOpen)
    return (
      <p className="text-small text-muted flex-row flex-wrap">
        {m.import_letters_read({ name: nameOf(read) })}
        <Button kind="words" onClick={() => setOpen(true)}>
          {m.import_letters_other()}
        </Button>
      </p>
    );
  return (
    <Card className="stack">
      <Choices
        legend={m.import_letters_ask()}
        {...(read === null && { hint: m.import_letters_line() })}
        multiple={false}
        options={offered.slice(0, areAllShown ? offered.length : SHOWN_FIRST).map(({ encoding, sample }) => ({
          id: encoding,
          text: m.import_letters_sample({ name: nameOf(encoding), sample }),
        }))}
        chosen={read === null ? [] : [read]}
        onChoose={([chosen]) => {
          const picked = offered.find(({ encoding }) => encoding === chosen);
          setOpen(false);
          if (picked) onPick(picked.encoding);
        }}
      />
      {!areAllShown && (
        <div className="actions">
          <Button kind="words" onClick={() => setAllShown(true)}>
            {m.import_letters_more({ n: number(offered.length) })}
          </Button>
        </div>
      )}
    </Card>
  );
}
