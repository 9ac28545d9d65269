/**
 * Whether a member hides from boards, leagues and activity, as SQL; `person` and `place` are expressions. The one home of it:
 * nobody can hide yet.
 */
export const hiddenText = (_person: string, _place: string): string => 'false';
