import { m } from '../../paraglide/messages.js';
import { AnswerForm, type FormProps, useAnswer } from '../../shared/answers/answer-form.tsx';
import type { MemberParts } from '../kind.ts';

export const checkInParts: MemberParts<'check_in'> = { Form: CheckIn };

function CheckIn(props: FormProps) {
  const { form, send } = useAnswer(props);
  const onSend = () => void send({ kind: 'check_in' });
  return <AnswerForm {...form} missing={null} onSend={onSend} icon="check" label={m.member_check_in()} />;
}
