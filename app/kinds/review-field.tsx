import { m } from '../paraglide/messages.js';

export function ReviewField({ review, onReview }: { review: boolean; onReview: (review: boolean) => void }) {
  return (
    <div>
      <label className="tick-line">
        <input type="checkbox" checked={review} onChange={({ currentTarget }) => onReview(currentTarget.checked)} />
        {m.kinds_edit_review()}
      </label>
      <p className="text-small text-muted">{m.kinds_edit_review_hint()}</p>
    </div>
  );
}
