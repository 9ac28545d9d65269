import { answerAsThread } from '../../base/own-thread.ts';
import { readFile } from './read-file.ts';

/** A thread that reads files beside the server's own. */
answerAsThread(readFile);
