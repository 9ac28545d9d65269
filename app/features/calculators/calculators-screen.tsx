import './calculator.css';
import './calculators-screen.css';
import { useParams } from '@tanstack/react-router';
import { m } from '../../paraglide/messages.js';
import { ListRow, SectionHead } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Screen } from '../../ui/screen.tsx';
import { CalculatorPage } from './calculator-page.tsx';
import { calculatorOf, GROUPS } from './catalogue.ts';
import { NotAdvice } from './not-advice.tsx';

/** The calculator in the address, or the list of all. */
export function CalculatorsScreen() {
  const { calculator: id = '' } = useParams({ strict: false });
  const calculator = calculatorOf(id);
  return calculator ? <CalculatorPage key={calculator.id} calculator={calculator} /> : <List isUnknown={id !== ''} />;
}

function List({ isUnknown }: { isUnknown: boolean }) {
  return (
    <Screen title={m.calc_title()} lead={m.calc_lead()}>
      {isUnknown && (
        <p className="calculator__notice" role="status">
          <Icon name="info" />
          {m.calc_unknown()}
        </p>
      )}
      <div className="calculator-list">
        {GROUPS.map(({ title, calculators }) => (
          <section key={calculators[0]?.id}>
            <SectionHead title={title()} />
            <ul className="card card--rows ruled-list">
              {calculators.map((calculator) => (
                <li key={calculator.id}>
                  <ListRow
                    title={calculator.name()}
                    line={calculator.line()}
                    link={{ to: '/ai-defi-tools/$calculator', params: { calculator: calculator.id } }}
                  />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      <NotAdvice />
    </Screen>
  );
}
