import './reviewed.css';
import { m } from '../paraglide/messages.js';

export const Written = ({ words }: { words: string }) => (
  <p className="written-text">{m.member_in_quotes({ words })}</p>
);

export const AnswerLink = ({ to }: { to: string }) => (
  <a className="text-link answer-link break-anywhere" href={to} target="_blank" rel="noopener noreferrer nofollow">
    {to}
  </a>
);
