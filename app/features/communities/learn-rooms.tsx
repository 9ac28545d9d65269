import { m } from '../../paraglide/messages.js';
import { ListRow, SectionHead } from '../../ui/card.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';

type Room = { to: '/web3-quiz' | '/ai-defi-tools' | '/ai-tools'; icon: IconName; name: string; line: string };
const rooms = (): Room[] => [
  { to: '/web3-quiz', icon: 'quiz', name: m.quiz_title(), line: m.quiz_map_line() },
  { to: '/ai-defi-tools', icon: 'calculator', name: m.calc_title(), line: m.calc_map_line() },
  { to: '/ai-tools', icon: 'edit', name: m.tools_map(), line: m.tools_map_line() },
];

/** Pages beside communities, open to everyone and offline. */
export function LearnRooms() {
  return (
    <section>
      <SectionHead title={m.public_map_learn_and_work_out()} />
      <ul className="card card--rows ruled-list">
        {rooms().map(({ to, icon, name, line }) => (
          <li key={to}>
            <ListRow lead={<Icon name={icon} />} title={name} line={line} link={{ to }} />
          </li>
        ))}
      </ul>
    </section>
  );
}
