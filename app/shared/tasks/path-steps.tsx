import './path-steps.css';
import type { Gate } from '../../../server/contract/tasks.ts';
import { m } from '../../paraglide/messages.js';
import { Mark } from '../../ui/icon.tsx';
import { stepWords } from './gate-words.ts';

/** The path to a task, step by step: done steps in ink, the others open. */
export function PathSteps({ path, any }: { path: Gate['path']; any: boolean }) {
  return (
    <div className="path-steps">
      {any && path.length > 1 && <p className="text-small text-muted">{m.member_path_any()}</p>}
      <ol>
        {path.map(({ condition, met, title }) => (
          <li key={JSON.stringify(condition)} className={met ? 'path-steps__met' : ''}>
            <Mark state={met ? 'ink' : 'slot'} size={20} />
            <span>{stepWords(condition, title)}</span>
            <span className="visually-hidden">{met ? m.member_step_met() : m.member_step_open()}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}
