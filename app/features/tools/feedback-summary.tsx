import './tools.css';
import { useMemo } from 'react';
import { SUMMED_ANSWER_MAX, SUMMED_ANSWERS_MAX } from '../../../server/contract/limits.ts';
import { number } from '../../lib/format.ts';
import { call } from '../../lib/http.ts';
import { m } from '../../paraglide/messages.js';
import { BoardPanel } from '../../ui/board.tsx';
import { Card, Chip, SectionHead } from '../../ui/card.tsx';
import { type Model, ModelForm, useModel, useModelCall } from './model.tsx';
import { CopyButton, ForLeaders } from './parts.tsx';
import { PasteAnswers, useAnswers } from './paste-answers.tsx';
import { type Quoted, type Summary, summarise, type Theme } from './summary.ts';

/** What many answers have in common, in their own words. */
export function FeedbackSummary() {
  const given = useAnswers('tool:feedback');
  const summary = useMemo(() => summarise(given.answers), [given.answers]);
  const { themes, quotes } = summary;
  const model = useModel();
  return (
    <>
      <ForLeaders>{m.tools_summary_lead()}</ForLeaders>
      <div className="tool-columns">
        <PasteAnswers given={given} asksModel={model !== null} />
        <div className="stack-medium">
          <Result summary={summary} />
          {model && <ByModel model={model} answers={given.answers} />}
          {themes.length > 0 && (
            <section>
              <SectionHead title={m.tools_summary_themes_head()} />
              <Card className="card--rows">
                <ul className="ruled-list">
                  {themes.map((theme) => (
                    <ThemeRow key={theme.terms.join()} theme={theme} />
                  ))}
                </ul>
              </Card>
            </section>
          )}
          {quotes.length > 0 && (
            <section>
              <SectionHead title={m.tools_summary_quotes()} />
              <Card className="card--rows">
                <ul className="ruled-list">
                  {quotes.map((quote) => (
                    <li key={quote.at} className="tool-theme">
                      <QuotedWords quote={quote} />
                    </li>
                  ))}
                </ul>
              </Card>
            </section>
          )}
        </div>
      </div>
    </>
  );
}

const fromAnswers = ({ answers }: Summary): string => m.tools_summary_from({ count: answers, n: number(answers) });

function Result({ summary }: { summary: Summary }) {
  const { answers, themes } = summary;
  const isShown = answers > 1 && themes.length > 0;
  return (
    <div className="tool-result">
      <BoardPanel
        label={m.tools_summary_region()}
        heading={fromAnswers(summary)}
        value={m.tools_summary_themes({ count: themes.length, n: number(themes.length) })}
        note={
          isShown
            ? m.tools_summary_extractive()
            : answers > 1
              ? m.tools_summary_no_themes()
              : m.tools_summary_none_yet()
        }
      >
        {isShown && (
          <div className="actions">
            <CopyButton text={textOf(summary)} kind="cross">
              {m.tools_summary_copy()}
            </CopyButton>
          </div>
        )}
      </BoardPanel>
    </div>
  );
}

const countOf = ({ answers }: Theme): string => m.tools_summary_theme_count({ count: answers, n: number(answers) });

function ThemeRow({ theme }: { theme: Theme }) {
  return (
    <li className="tool-theme">
      <div className="flex-row">
        <h3 className="flex-grow">{theme.terms.join(', ')}</h3>
        <Chip>{countOf(theme)}</Chip>
      </div>
      <QuotedWords quote={theme.quote} />
    </li>
  );
}

function QuotedWords({ quote }: { quote: Quoted }) {
  return (
    <>
      <blockquote className="tool-words" dir="auto">
        {quote.text}
      </blockquote>
      <p className="text-tiny text-muted">{m.tools_summary_by({ n: number(quote.at + 1) })}</p>
    </>
  );
}

/** The summary as text, with an introduction. */
function textOf(summary: Summary): string {
  const line = ({ text, at }: Quoted) => `“${text}” (${m.tools_summary_by({ n: number(at + 1) })})`;
  return [
    `${fromAnswers(summary)}. ${m.tools_summary_extractive()}`,
    ...summary.themes.map((theme) => `${theme.terms.join(', ')}, ${countOf(theme)}: ${line(theme.quote)}`),
    ...summary.quotes.map(line),
  ].join('\n');
}

/** A summary by the instance's model, where there is one. It is marked as such and not stored. */
function ByModel({ model, answers }: { model: Model; answers: readonly string[] }) {
  const given = answers.slice(0, SUMMED_ANSWERS_MAX).map((answer) => answer.slice(0, SUMMED_ANSWER_MAX));
  const written = useModelCall(() =>
    call('POST /api/communities/:communityId/summaries', {
      params: { communityId: model.communityId },
      body: { answers: given },
    }),
  );
  return (
    <Card className="form-stack">
      <ModelForm
        model={model}
        command={written}
        disabledReason={given.length < 2 ? m.tools_summary_none_yet() : null}
        line={m.tools_model_answers_line({ count: given.length, n: number(given.length) })}
        onAsk={() => written.mutate(undefined)}
      >
        {m.tools_model_sum_up()}
      </ModelForm>
      {written.data && (
        <div role="status">
          <p className="text-tiny text-muted">
            {m.tools_model_wrote({ count: written.data.answers, n: number(written.data.answers) })}
          </p>
          <p className="tool-words" dir="auto">
            {written.data.text}
          </p>
        </div>
      )}
      {written.data && (
        <div>
          <CopyButton text={written.data.text}>{m.tools_summary_copy()}</CopyButton>
        </div>
      )}
    </Card>
  );
}
