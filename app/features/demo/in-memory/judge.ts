import { HttpError } from '../../../../server/base/http-error.ts';
import type { Claim, Evidence } from '../../../../server/contract/claims.ts';
import type { TaskSetup } from '../../../../server/contract/tasks.ts';
import { isXKind } from '../../../../server/contract/x-post.ts';
import { approved, check } from '../../../../server/kinds/judged.ts';
import type { Judged } from '../../../../server/kinds/kind.ts';
import { answerTo, judgeAnswer, sameIn } from '../../../../server/kinds/kinds.ts';
import { attest } from './chats.ts';
import type { Asker, StoredTask } from './world.ts';

export type Verdict = Pick<Claim, 'state' | 'evidence' | 'checks' | 'reason'>;

/**
 * Checks an answer by the server's rules and decides what can be decided. An answer that resembles another member's, or
 * came faster than people are, goes to a reviewer. Throws the 422s of `judge` in server/features/claims.
 */
export function judge(
  asker: Asker,
  task: StoredTask,
  setup: TaskSetup,
  given: Evidence | undefined,
  deviceAt: Date,
): Verdict {
  const { now } = asker;
  const evidence = answerTo(setup, given);
  const facts = factsFor(asker, task, setup, evidence);
  const { checks, ...judged } = confirmedByPartner(
    setup,
    duplicateChecked(
      asker,
      task,
      judgeAnswer(setup, evidence, { now, at: deviceAt, deviceAt, isPeriodNow: true }, facts),
    ),
  );
  return { ...judged, checks: checks.map(({ what, ok, note }) => ({ what, at: now.toISOString(), ok, note })) };
}

/** The facts that the server reads from its database, from the demo's world. */
function factsFor(asker: Asker, task: StoredTask, setup: TaskSetup, evidence: Evidence): unknown {
  const { pictures } = asker.world;
  if (isXKind(setup.kind)) throw new HttpError(422, 'X_NOT_LINKED', 'Nothing leaves the demo, so X cannot be asked.');
  switch (setup.kind) {
    case 'telegram_join':
    case 'telegram_chat':
    case 'telegram_reaction':
      return attest(asker, task, setup);
    case 'telegram_event':
      return { step: null };
    case 'invite':
      return { all: 0, before: 0 };
    case 'submit_image':
      return evidence.kind === 'submit_image' && pictures.has(evidence.imageId);
    case 'file':
      return evidence.kind === 'file' && pictures.has(evidence.fileId);
    default:
      return null;
  }
}

/** The demo asks no partner: it plays one that confirms. */
function confirmedByPartner(setup: TaskSetup, judged: Judged): Judged {
  if (setup.kind !== 'partner') return judged;
  const note = `${new URL(setup.url).host} says yes, as the demo plays it`;
  return approved(judged.evidence, [check('partner', true, note)]);
}

function duplicateChecked({ world, me }: Asker, task: StoredTask, judged: Judged): Judged {
  const same = sameIn(judged.evidence);
  const isSeen = world.claims.some(
    (one) => one.taskId === task.id && one.userId !== me.id && same !== null && sameIn(one.evidence) === same,
  );
  if (!isSeen) return judged;
  return { ...judged, state: 'checking', checks: [check('likeness', false, 'Someone else sent the same')] };
}
