import { join } from 'node:path';
import { inOwnThread, oneByOne } from '../../base/own-thread.ts';
import { IMPORTS_WAITING_MAX } from '../../contract/import-limits.ts';
import { type FileRead, type FileToRead, readFile } from './read-file.ts';

/** Built beside the server's own file, which this one is a part of: the thread is no part of it. */
const THREAD = join(import.meta.dirname, 'import-thread.js');
const queued = oneByOne(inOwnThread(THREAD, readFile), IMPORTS_WAITING_MAX);

/** Reads a file in a worker thread, which takes over the bytes. Throws `TooManyWait`. */
export const readInThread = (file: FileToRead): Promise<FileRead> => queued(file, [file.bytes.buffer]);
