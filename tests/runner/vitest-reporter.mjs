// @ts-check
/** Vitest's part of a step: measures each file, and adds its result to the step's report as it ends. */
import { join, relative } from 'node:path';
import { addPart, artifacts, END, firstLines, keyOf, resultOf, root } from './report.mjs';

/** @typedef {import('vitest/node').TestModule} TestModule */

const report = process.env['STEP_REPORT'] ?? join(artifacts, 'report.jsonl');
const played = process.env['STEP_PLAYED'] ?? '';

export default class StepReporter {
  /** @type {Set<string>} */
  #told = new Set();

  /** @param {import('vitest/node').Vitest} vitest */
  onInit(vitest) {
    for (const project of vitest.projects)
      project.config.setupFiles.unshift(join(import.meta.dirname, 'measure-file.mjs'));
  }

  /** @param {TestModule} file */
  onTestModuleEnd(file) {
    this.#told.add(file.id);
    const part = relative(root, file.moduleId);
    const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } = file.diagnostic();
    const seconds = (environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration) / 1000;
    const { cost } = /** @type {{ cost?: import('./measure-file.mjs').Cost }} */ (file.meta());
    addPart(report, {
      part,
      key: keyOf(part, played),
      ...resultOf(file),
      seconds,
      processor: cost?.processor ?? 0,
      starts: cost?.starts ?? {},
    });
  }

  /** @param {readonly TestModule[]} files @param {readonly { message: string, stack?: string | undefined }[]} errors */
  onTestRunEnd(files, errors) {
    for (const file of files) if (!this.#told.has(file.id)) this.onTestModuleEnd(file);
    const failures = errors.map(({ stack, message }) => firstLines(stack || message));
    addPart(report, { part: END, key: '', passed: 0, failures, seconds: 0, processor: 0, starts: {} });
  }
}
