/** For `sql.begin`: several reads that see one moment, so that the parts of an answer agree. */
export const SNAPSHOT = 'isolation level repeatable read read only';
