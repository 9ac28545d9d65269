import type { MemberParts } from '../kind.ts';
import './parts.css';
import '../../shared/answers/sent-picture.css';
import { useEffect, useId, useRef, useState } from 'react';
import { IMAGE_BYTES } from '../../../server/contract/limits.ts';
import { number } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import { AnswerForm, evidenceBefore, type FormProps, NoteField, useAnswer } from '../../shared/answers/answer-form.tsx';
import { type Taken, takePicture } from '../../shared/answers/picture.ts';
import { SentPicture } from '../../shared/answers/sent-picture.tsx';
import { useStoredText } from '../../shared/tasks/draft.ts';
import { Icon } from '../../ui/icon.tsx';

export const submitImageParts: MemberParts<'submit_image'> = {
  Form: ImageForm,
  Sent: ({ communityId, evidence }) => <SentPicture communityId={communityId} imageId={evidence.imageId} />,
};

type Chosen = Taken | { kind: 'none' | 'drawing' | 'unreadable' };

const WRONG: ReadonlySet<Chosen['kind']> = new Set(['unreadable', 'too_large', 'untrue']);

/** A picture, made small on the device and without its metadata, with a note. `given`: the initial picture. */
export function ImageForm(props: FormProps & { given?: Blob }) {
  const { task } = props.view;
  const { form, send } = useAnswer(props);
  const before = evidenceBefore(props.view);
  const [note, setNote] = useStoredText(task.id, before?.kind === 'submit_image' ? before.note : null);
  const [chosen, setChosen] = useState<Chosen>({ kind: 'none' });
  const canvas = useRef<HTMLCanvasElement>(null);
  const latest = useRef(0);
  const id = useId();
  async function take(file: Blob | undefined): Promise<void> {
    if (!file || !canvas.current) return;
    latest.current += 1;
    const own = latest.current;
    setChosen({ kind: 'drawing' });
    const isLatest = () => own === latest.current;
    const chosen = await takePicture(file, canvas.current, isLatest).catch((): Chosen => ({ kind: 'unreadable' }));
    if (isLatest()) setChosen(chosen);
  }
  const { given } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once with its initial value
  useEffect(() => void take(given), [given]);
  const words = {
    none: m.member_picture_hint,
    drawing: m.member_picture_drawing,
    unreadable: m.member_picture_unreadable,
    untrue: () => m.member_picture_untrue({ size: number(IMAGE_BYTES / 1024) }),
    too_large: () => m.member_picture_too_large({ size: number(IMAGE_BYTES / 1024) }),
  };
  const ready = chosen.kind === 'ready' ? chosen.picture : null;
  // An uploaded picture need not be sent again: often only the note was missing.
  const { claim } = props.view;
  const uploaded = claim?.evidence?.kind === 'submit_image' ? claim.evidence.imageId : null;
  const isUploaded = ready === null && uploaded !== null && chosen.kind === 'none';
  return (
    <AnswerForm
      {...form}
      missing={ready === null && !isUploaded ? m.member_picture_first() : null}
      onSend={() => {
        const imageId = isUploaded ? uploaded : crypto.randomUUID();
        void send({ kind: 'submit_image', imageId, ...(note.trim() && { note: note.trim() }) }, ready);
      }}
    >
      <div className={WRONG.has(chosen.kind) ? 'field field--wrong' : 'field'}>
        <input
          id={id}
          className="visually-hidden picture-choice__input"
          type="file"
          accept="image/*"
          aria-describedby={`${id}-hint`}
          onChange={(event) => void take(event.currentTarget.files?.[0])}
        />
        <label
          htmlFor={id}
          className={ready === null && !isUploaded ? 'picture-choice' : 'picture-choice picture-choice--again'}
        >
          <Icon name="photo" size={24} />
          <span>{ready === null && !isUploaded ? m.member_picture_choose() : m.member_picture_other()}</span>
        </label>
        {isUploaded && <SentPicture communityId={props.communityId} imageId={uploaded} />}
        <canvas
          ref={canvas}
          className="picture"
          hidden={ready === null}
          role="img"
          aria-label={m.member_picture_yours()}
        />
        <span className="field__hint" id={`${id}-hint`} role="status">
          {chosen.kind === 'ready'
            ? m.member_picture_ready({ size: number(Math.ceil(chosen.picture.size / 1024)) })
            : isUploaded
              ? m.member_picture_kept()
              : words[chosen.kind]()}
        </span>
      </div>
      <NoteField value={note} onValue={setNote} />
    </AnswerForm>
  );
}
