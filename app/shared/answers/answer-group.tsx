import './answer-group.css';
import type { ReactNode } from 'react';
import { number } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';

export type GroupMember = {
  key: string;
  /** The member, or which answer it is. */
  name: string;
  text: string;
  /** Overlap with another answer of the group, 0 to 1. */
  likeness: number;
  /** Actions for this answer. */
  action?: ReactNode;
};

/** Nearly identical answers, side by side where there is room. */
export function AnswerGroup({ members }: { members: readonly GroupMember[] }) {
  return (
    <ul className="answer-group">
      {members.map(({ key, name, text, likeness, action }) => (
        <li key={key}>
          <p className="text-tiny text-muted">
            {name} · {m.tools_alike_percent({ percent: number(Math.round(likeness * 100)) })}
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling areas must be reachable by keyboard */}
          <blockquote className="text-small written-text" tabIndex={0}>
            {text}
          </blockquote>
          {action}
        </li>
      ))}
    </ul>
  );
}
