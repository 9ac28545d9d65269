import './learn-more-screen.css';
import '../../ui/prose.css';
import { guides } from '../../../server/contract/guides.ts';
import { product } from '../../lib/product.ts';
import { useUser } from '../../lib/query.ts';
import { useDeviceWord } from '../../lib/use-device-word.ts';
import { m } from '../../paraglide/messages.js';
import { ButtonLink, OutButton } from '../../ui/button.tsx';
import { Mark, type MarkState } from '../../ui/icon.tsx';
import { Contents, Section } from '../../ui/prose.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Blocks, FirstLine, guideOf } from './blocks.tsx';

/** The marks in the guide's order. */
const MARKS: readonly MarkState[] = ['slot', 'pencil', 'sending', 'received', 'ink', 'refused', 'reversed'];

/** The product's purpose, the marks, offline work, personal data, and self-hosting. */
export function LearnMoreScreen() {
  const device = useDeviceWord();
  const user = useUser();
  const parts = guides.filter(({ page }) => page === 'learn-more');
  const [value, marks, offline, privacy, leaders, hosting] = [
    guideOf('learn-more', 'value'),
    guideOf('learn-more', 'marks'),
    guideOf('learn-more', 'offline'),
    guideOf('learn-more', 'privacy'),
    guideOf('learn-more', 'leaders'),
    guideOf('learn-more', 'self-hosting'),
  ];
  return (
    <Screen
      title={m.shell_learn_more()}
      lead={m.public_learn_lead({ product: product.name })}
      contents={<Contents parts={parts} />}
    >
      <div className="reading">
        <Section id={value.id} title={value.title}>
          <Blocks blocks={value.intro} device={device} />
        </Section>
        <Section id={marks.id} title={marks.title} wide>
          <Blocks blocks={marks.intro} device={device} />
          <ul className="mark-legend">
            {marks.sections.map((section, at) => (
              <li key={section.id} id={section.id}>
                <Mark state={MARKS[at] ?? 'slot'} />
                <div>
                  <b>{section.title}</b>
                  <p className="text-small">
                    <FirstLine section={section} device={device} />
                  </p>
                </div>
              </li>
            ))}
          </ul>
        </Section>
        <Section id={offline.id} title={offline.title} wide>
          <div className="reading-pair">
            {offline.sections.map((section) => (
              <div key={section.id} id={section.id} className="card">
                <h3>{section.title}</h3>
                <p className="text-muted">
                  <FirstLine section={section} device={device} />
                </p>
              </div>
            ))}
          </div>
        </Section>
        <Section id={privacy.id} title={privacy.title}>
          <Blocks blocks={privacy.intro} device={device} />
          <ButtonLink kind="edge" to="/privacy-policy">
            {m.public_learn_privacy_link()}
          </ButtonLink>
        </Section>
        <Section id={leaders.id} title={leaders.title}>
          <Blocks blocks={leaders.intro} device={device} />
          <ButtonLink kind="edge" to="/how-to-use">
            {m.public_how_to_use()}
          </ButtonLink>
        </Section>
        <Section id={hosting.id} title={hosting.title}>
          <Blocks blocks={hosting.intro} device={device} />
        </Section>
        <Section id="next" title={m.public_learn_next()} className="ready-panel">
          {!user && <p>{m.public_learn_next_line()}</p>}
          <div className="actions">
            {user ? (
              <ButtonLink kind="cross" to="/platform-exploration">
                {m.public_tour_map()}
              </ButtonLink>
            ) : (
              <OutButton kind="cross" href="/demo">
                {m.public_try_demo()}
              </OutButton>
            )}
            {!user && (
              <ButtonLink kind="edge" to="/new-user-exploration">
                {m.public_take_tour()}
              </ButtonLink>
            )}
            <ButtonLink kind="edge" to="/explore-communities">
              {m.public_look_around()}
            </ButtonLink>
          </div>
        </Section>
      </div>
    </Screen>
  );
}
