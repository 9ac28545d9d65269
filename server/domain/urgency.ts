/** The last of the urgencies: reminders. The first, 0, is what a person did or asked for (`urgency` of notifications and messages). */
export const LEAST_URGENT = 3;
