import './calculator.css';
import { m } from '../../paraglide/messages.js';

export const NotAdvice = () => (
  <p className="calculator__not-advice">
    <b>{m.calc_not_advice()}</b> {m.calc_not_advice_line()}
  </p>
);
