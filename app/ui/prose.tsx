import './contents-list.css';
import './dot-list.css';
import './prose.css';
import type { ReactNode } from 'react';
import { m } from '../paraglide/messages.js';

/** A linkable section of a reading page. `wide` lets cards use the whole width. */
export function Section(props: { id: string; title: string; wide?: boolean; className?: string; children: ReactNode }) {
  const classes = [props.wide ? 'reading__wide' : '', props.className ?? ''].filter(Boolean).join(' ');
  return (
    <section id={props.id} className={classes} aria-labelledby={`${props.id}-title`}>
      <h2 id={`${props.id}-title`}>{props.title}</h2>
      {props.children}
    </section>
  );
}

export function Contents({ parts }: { parts: readonly { id: string; title: string }[] }) {
  return (
    <nav className="contents-list" aria-label={m.public_on_this_page()}>
      <p>{m.public_on_this_page()}</p>
      {parts.map((part) => (
        <a key={part.id} href={`#${part.id}`}>
          {part.title}
        </a>
      ))}
    </nav>
  );
}

/** Lines with a small stroke before each: `yes` in ink, `no` dashed. */
export function Dots({ lines, kind }: { lines: readonly string[]; kind?: 'yes' | 'no' }) {
  return (
    <ul className={kind ? `dot-list dot-list--${kind}` : 'dot-list'}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

/** Numbered steps, each with a heading or just a line. */
export function Steps({ steps }: { steps: readonly { key: string; title?: string; line: ReactNode }[] }) {
  return (
    <ol className="reading-steps">
      {steps.map((step) => (
        <li key={step.key} id={step.key}>
          {step.title && <h3>{step.title}</h3>}
          <p>{step.line}</p>
        </li>
      ))}
    </ol>
  );
}
