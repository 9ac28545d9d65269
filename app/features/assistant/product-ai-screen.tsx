import './conversation.css';
import { isComplete } from '../../../server/rules/completion.ts';
import './product-ai-screen.css';
import { useMemo, useState } from 'react';
import { guidePassages, indexPassages } from '../../../server/rules/passages.ts';
import { product } from '../../lib/product.ts';
import { useUser } from '../../lib/query.ts';
import { deviceWord } from '../../lib/surroundings.ts';
import { useDeviceWord } from '../../lib/use-device-word.ts';
import { m } from '../../paraglide/messages.js';
import { ButtonLink } from '../../ui/button.tsx';
import { Card, SectionHead } from '../../ui/card.tsx';
import { Dots } from '../../ui/prose.tsx';
import { Screen } from '../../ui/screen.tsx';
import { type Answer, quotesFor } from './answer.ts';
import { Composer } from './composer.tsx';
import { Found, SuggestionList } from './conversation.tsx';
import { WhereList } from './where.tsx';

/** What the assistant is, where each question goes, and a trial on the public guides. */
export function ProductAiScreen() {
  const user = useUser();
  const isSetUp = Boolean(user && isComplete(user));
  return (
    <Screen
      title={m.assistant_public_title({ product: product.name })}
      lead={m.assistant_public_lead()}
      aside={
        <>
          <SectionHead title={m.assistant_public_modes()} />
          <WhereList modes={null} />
          <p className="text-small text-muted">{m.assistant_public_modes_line()}</p>
        </>
      }
    >
      <SectionHead title={m.assistant_public_try()} />
      <Try />
      <SectionHead title={m.assistant_public_never()} />
      <Card>
        <Dots
          kind="no"
          lines={[
            m.assistant_public_never_1(),
            m.assistant_public_never_2(),
            m.assistant_public_never_3(),
            m.assistant_public_never_4(),
            m.assistant_public_never_5(),
          ]}
        />
      </Card>
      <div className="actions">
        {isSetUp && <ButtonLink to="/ai-assistant">{m.assistant_public_open()}</ButtonLink>}
        <ButtonLink kind="edge" to="/how-to-use" hash="assistant">
          {m.assistant_public_privacy()}
        </ButtonLink>
      </div>
    </Screen>
  );
}

function Try() {
  const isPhone = useDeviceWord() === 'phone';
  const index = useMemo(() => indexPassages(guidePassages(deviceWord())), []);
  const [tried, setTried] = useState<{ question: string; answer: Answer } | null>(null);
  const ask = (question: string) => setTried({ question, answer: quotesFor(question, index) });
  return (
    <div className="try-panel card">
      <p className="text-small text-muted">{m.assistant_public_try_line()}</p>
      {tried === null ? (
        <SuggestionList
          asks={[m.assistant_public_suggest_1(), m.assistant_public_suggest_2(), m.assistant_public_suggest_3()]}
          onAsk={ask}
        />
      ) : (
        <div className="exchange" role="status">
          <h3 className="exchange__question">
            <span className="visually-hidden">{m.assistant_asked()}</span>
            {tried.question}
          </h3>
          <div className="exchange__answer">
            {(tried.answer.by === 'quotes' || tried.answer.by === 'nothing') && (
              <Found answer={tried.answer} isPublic />
            )}
          </div>
        </div>
      )}
      <Composer
        isWriting={false}
        note={isPhone ? m.assistant_stays_phone() : m.assistant_stays_computer()}
        onAsk={ask}
      />
    </div>
  );
}
