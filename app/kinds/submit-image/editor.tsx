import { m } from '../../paraglide/messages.js';
import type { LeaderParts, ReviewedProps } from '../kind.ts';
import { Written } from '../reviewed.tsx';
import { ClaimPicture } from './claim-picture.tsx';

export const submitImageEditor: LeaderParts<'submit_image'> = {
  hint: m.leader_kind_submit_image_hint,
  usualPoints: 40,
  empty: () => ({ kind: 'submit_image' }),
  preview: (setup) => setup,
  Reviewed: SubmitImageReviewed,
};

function SubmitImageReviewed({ item, communityId, evidence, isOpen }: ReviewedProps<'submit_image'>) {
  return (
    <>
      <ClaimPicture
        communityId={communityId}
        imageId={evidence.imageId}
        who={item.member.displayName}
        hasKey={isOpen}
      />
      {evidence.note && <Written words={evidence.note} />}
    </>
  );
}
