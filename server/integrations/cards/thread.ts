import { answerAsThread } from '../../base/own-thread.ts';
import { drawPng } from './draw.ts';

/** A thread that draws beside the server's own. */
answerAsThread(drawPng);
