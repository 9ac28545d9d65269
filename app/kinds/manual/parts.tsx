import { m } from '../../paraglide/messages.js';
import type { MemberParts } from '../kind.ts';

export const manualParts: MemberParts<'manual'> = {
  Form: ({ view }) => <p className="written-text">{view.task.instructions || m.member_gate_granted()}</p>,
};
