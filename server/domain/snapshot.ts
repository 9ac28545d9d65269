/** For `sql.begin`: several reads of one snapshot, so the parts of an answer agree. */
export const SNAPSHOT = 'isolation level repeatable read read only';
