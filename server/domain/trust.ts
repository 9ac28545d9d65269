import { TRUST_START } from '../contract/desk-limits.ts';
import type { MemberDetail, TrustSignal } from '../contract/members.ts';

/** What is held of a member for and against trust. */
export type Trust = MemberDetail['trust'];
export type TrustFacts = {
  accountDays: number;
  memberDays: number;
  xLinked: boolean;
  approved: number;
  rejected: number;
  reversed: number;
  /** Most claims that were sent within ten minutes. */
  burst: number;
  /** Claims whose answer another member had sent before; the first sender copied nobody. */
  alike: number;
  /** People whom the same member invited within an hour of them. */
  invitedBeside: number;
};

const FULL_AGE_DAYS = 30;
const FEW_DECIDED = 3;
const BURST_FROM = 15;
const INVITED_BESIDE_FROM = 5;

/** The sum of the signals, 0 to 100. Every signal that changes it is listed. */
export function trustOf(facts: TrustFacts): Trust {
  const signals = signalsOf(facts).filter(({ effect }) => effect !== 0);
  const sum = signals.reduce((total, { effect }) => total + effect, TRUST_START);
  return { score: Math.max(0, Math.min(100, sum)), signals };
}

const days = (count: number): string => `${Math.floor(count)} ${Math.floor(count) === 1 ? 'day' : 'days'}`;

function signalsOf(facts: TrustFacts): TrustSignal[] {
  const { approved, rejected, reversed, burst, alike, invitedBeside } = facts;
  const decided = approved + rejected + reversed;
  const share = decided === 0 ? 0 : approved / decided;
  const grown = (age: number, most: number) =>
    Math.round((Math.max(0, Math.min(age, FULL_AGE_DAYS)) / FULL_AGE_DAYS) * most);
  return [
    { code: 'account_age', effect: grown(facts.accountDays, 10), note: `Signed up ${days(facts.accountDays)} ago` },
    { code: 'membership_age', effect: grown(facts.memberDays, 15), note: `A member for ${days(facts.memberDays)}` },
    { code: 'x_linked', effect: facts.xLinked ? 10 : 0, note: 'Linked an X account' },
    {
      code: 'approved_share',
      effect: decided < FEW_DECIDED ? 0 : Math.round((share - 0.5) * 30),
      note: `${approved} of ${decided} decided claims approved`,
    },
    {
      code: 'reversals',
      effect: -Math.min(30, reversed * 10),
      note: `${reversed} approved ${reversed === 1 ? 'claim was' : 'claims were'} taken back`,
    },
    {
      code: 'pace',
      effect: burst < BURST_FROM ? 0 : -Math.min(20, burst - BURST_FROM + 5),
      note: `${burst} claims within ten minutes`,
    },
    {
      code: 'likeness',
      effect: -Math.min(30, alike * 10),
      note: `${alike} ${alike === 1 ? 'answer' : 'answers'} that someone else had already sent`,
    },
    {
      code: 'invited_burst',
      effect: invitedBeside < INVITED_BESIDE_FROM ? 0 : -15,
      note: `${invitedBeside} others were invited by the same member within the hour`,
    },
  ];
}
