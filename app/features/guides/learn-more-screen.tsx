import './learn-more-screen.css';
import './prose.css';
import { product } from '../../lib/product.ts';
import { useUser } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { ButtonLink } from '../../ui/button.tsx';
import { Mark, type MarkState } from '../../ui/icon.tsx';
import { Screen } from '../../ui/screen.tsx';
import { deviceWord } from '../landing/surroundings.ts';
import { Contents, Dots, Section } from './prose.tsx';

/** What the product is for, what the marks mean, how offline works, what is known about people, how to run it. */
export function LearnMoreScreen() {
  const device = deviceWord();
  const user = useUser();
  const marks: readonly { state: MarkState; name: string; line: string }[] = [
    { state: 'slot', name: m.public_mark_open(), line: m.public_mark_open_line() },
    { state: 'pencil', name: m.public_mark_pencil(), line: m.public_mark_pencil_line({ device }) },
    { state: 'sending', name: m.public_mark_sending(), line: m.public_mark_sending_line() },
    { state: 'received', name: m.public_mark_received(), line: m.public_mark_received_line() },
    { state: 'ink', name: m.public_mark_counted(), line: m.public_mark_counted_line() },
    { state: 'refused', name: m.public_mark_refused(), line: m.public_mark_refused_line() },
    { state: 'reversed', name: m.public_mark_reversed(), line: m.public_mark_reversed_line() },
  ];
  const offline = [
    { title: m.public_learn_offline_1_h(), line: m.public_learn_offline_1({ device }) },
    { title: m.public_learn_offline_2_h(), line: m.public_learn_offline_2({ device }) },
    { title: m.public_learn_offline_3_h(), line: m.public_learn_offline_3() },
    { title: m.public_learn_offline_4_h(), line: m.public_learn_offline_4() },
  ];
  const parts = [
    { id: 'value', title: m.public_learn_value() },
    { id: 'marks', title: m.public_learn_marks() },
    { id: 'offline', title: m.public_learn_offline() },
    { id: 'privacy', title: m.public_learn_privacy() },
    { id: 'leaders', title: m.public_learn_leaders() },
    { id: 'self-hosting', title: m.public_learn_host() },
  ];
  return (
    <Screen
      title={m.public_learn_title()}
      lead={m.public_learn_lead({ product: product.name })}
      aside={<Contents parts={parts} />}
    >
      <div className="reading">
        <Section id="value" title={m.public_learn_value()}>
          <p>{m.public_learn_value_1()}</p>
          <p>{m.public_learn_value_2()}</p>
        </Section>
        <Section id="marks" title={m.public_learn_marks()} wide>
          <p>{m.public_learn_marks_line()}</p>
          <ul className="mark-legend">
            {marks.map((mark) => (
              <li key={mark.state}>
                <Mark state={mark.state} />
                <div>
                  <b>{mark.name}</b>
                  <p className="text-small">{mark.line}</p>
                </div>
              </li>
            ))}
          </ul>
        </Section>
        <Section id="offline" title={m.public_learn_offline()} wide>
          <div className="reading-pair">
            {offline.map((part) => (
              <div key={part.title} className="card">
                <h3>{part.title}</h3>
                <p className="text-muted">{part.line}</p>
              </div>
            ))}
          </div>
        </Section>
        <Section id="privacy" title={m.public_learn_privacy()}>
          <p>{m.public_learn_privacy_1()}</p>
          <p>{m.public_learn_privacy_2()}</p>
          <ButtonLink kind="edge" to="/privacy-policy">
            {m.public_learn_privacy_link()}
          </ButtonLink>
        </Section>
        <Section id="leaders" title={m.public_learn_leaders()}>
          <Dots
            kind="yes"
            lines={[
              m.public_learn_leaders_1(),
              m.public_learn_leaders_2(),
              m.public_learn_leaders_3(),
              m.public_learn_leaders_4(),
              m.public_learn_leaders_5(),
            ]}
          />
          <ButtonLink kind="edge" to="/how-to-use">
            {m.public_how_to_use()}
          </ButtonLink>
        </Section>
        <Section id="self-hosting" title={m.public_learn_host()}>
          <p>{m.public_learn_host_1()}</p>
          <p>{m.public_learn_host_2()}</p>
        </Section>
        <Section id="next" title={m.public_learn_next()} className="ready-panel">
          {!user && <p>{m.public_learn_next_line()}</p>}
          <div className="actions">
            <ButtonLink kind="cross" to={user ? '/platform-exploration' : '/new-user-exploration'}>
              {user ? m.public_tour_map() : m.public_take_tour()}
            </ButtonLink>
            <ButtonLink kind="edge" to="/explore-communities">
              {m.public_look_around()}
            </ButtonLink>
          </div>
        </Section>
      </div>
    </Screen>
  );
}
