import { notFound } from '../../base/http-error.ts';
import type { Runtime } from '../../base/runtime.ts';
import type { AlertTest, IssueDetail } from '../../contract/ops-logs.ts';
import type { Handlers } from '../../http/handler.ts';
import { FORMATS } from '../exports/table.ts';
import { deliverAlert } from './alert-delivery.ts';
import { readChoices, readHistogram } from './bars.ts';
import { changeState, mergeIssues, splitIssue } from './change.ts';
import { wordsOfFailure } from './deliver.ts';
import { readEntries } from './entries.ts';
import { readEntry } from './entry-detail.ts';
import { asCsv, asNdjson, exportRows } from './export.ts';
import { readIssueDetail } from './issue-detail.ts';
import { readIssues } from './issues.ts';
import { regroup } from './regroup.ts';
import { addRule, deleteRule, findRule, readAlerts, readRules, replaceRule } from './rules.ts';
import { logServiceOf } from './service.ts';
import { readTimeline } from './timeline.ts';

/** The issue as it is now. Throws 404. */
async function issueNow(
  runtime: Runtime,
  issueId: string,
  query: { entry?: string | undefined; from?: string | undefined; to?: string | undefined } = {},
): Promise<{ json: IssueDetail }> {
  const { config, now } = runtime;
  const { sql, resolve } = logServiceOf(runtime);
  const ports = { resolve, origin: config.publicOrigin, now: now() };
  const detail = await readIssueDetail(sql, ports, issueId, query);
  if (!detail) throw notFound('issue');
  return { json: detail };
}

export const opsLogHandlers = {
  'GET /api/admin/client-logs/issues': async ({ query, runtime }) => ({
    json: await readIssues(logServiceOf(runtime).sql, query, runtime.now()),
  }),
  'GET /api/admin/client-logs/issues/:issueId': ({ runtime, params, query }) =>
    issueNow(runtime, params.issueId, query),
  'POST /api/admin/client-logs/issues/:issueId/state': async ({ sql, runtime, params, body, actor }) => {
    const releases = await logServiceOf(runtime).releases(sql);
    const who = { by: actor.userId, at: runtime.now() };
    await changeState(sql, { ...who, issueId: params.issueId, change: body, releases, build: runtime.build });
    return issueNow(runtime, params.issueId);
  },
  'POST /api/admin/client-logs/issues/:issueId/merge': async ({ sql, runtime, params, body, actor }) => {
    const who = { by: actor.userId, at: runtime.now() };
    await mergeIssues(sql, { ...who, issueId: params.issueId, others: body.issueIds });
    return issueNow(runtime, params.issueId);
  },
  'POST /api/admin/client-logs/issues/:issueId/split': async ({ sql, runtime, params, body, actor }) => {
    const who = { by: actor.userId, at: runtime.now() };
    return issueNow(runtime, await splitIssue(sql, { ...who, issueId: params.issueId, groupIds: body.groupIds }));
  },
  'POST /api/admin/client-logs/regroup': async ({ sql, runtime, body, actor }) => ({
    json: await regroup(sql, {
      apply: body.apply,
      group: logServiceOf(runtime).group,
      by: actor.userId,
      at: runtime.now(),
    }),
  }),

  'GET /api/admin/client-logs/entries': async ({ query, runtime }) => ({
    json: await readEntries(logServiceOf(runtime).sql, query, runtime.now()),
  }),
  'GET /api/admin/client-logs/entries/:entryId': async ({ params, runtime }) => {
    const { sql, resolve } = logServiceOf(runtime);
    const ports = { resolve, origin: runtime.config.publicOrigin };
    const detail = await readEntry(sql, ports, params.entryId);
    if (!detail) throw notFound('entry');
    return { json: detail };
  },
  'GET /api/admin/client-logs/histogram': async ({ query, runtime }) => ({
    json: await readHistogram(logServiceOf(runtime).sql, query, runtime.now()),
  }),
  'GET /api/admin/client-logs/choices': async ({ query, runtime }) => ({
    json: await readChoices(logServiceOf(runtime).sql, query, runtime.now()),
  }),
  'GET /api/admin/client-logs/timeline': async ({ query, runtime }) => ({
    json: await readTimeline(logServiceOf(runtime).sql, query, runtime.now()),
  }),
  'GET /api/admin/client-logs/tail': ({ runtime, query, gone }) => ({
    stream: logServiceOf(runtime).tail.follow(query, gone),
    type: 'text/event-stream; charset=utf-8',
  }),
  'GET /api/admin/client-logs/export': ({ query, runtime }) => {
    const { format, ...filters } = query;
    const rows = exportRows(logServiceOf(runtime).sql, filters, runtime.now());
    const day = runtime.now().toISOString().slice(0, 10);
    return {
      file: {
        name: `client-logs-${day}.${FORMATS[format].ending}`,
        type: FORMATS[format].type,
        content: format === 'csv' ? asCsv(rows) : asNdjson(rows),
      },
    };
  },
  'GET /api/admin/client-logs/fleet': async ({ query, runtime }) => ({
    json: await logServiceOf(runtime).fleet(query, runtime.now()),
  }),

  'GET /api/admin/client-logs/rules': async ({ sql }) => ({ json: await readRules(sql) }),
  'POST /api/admin/client-logs/rules': async ({ sql, body, actor, runtime }) => ({
    json: await addRule(sql, body, actor.userId, runtime.now()),
  }),
  'PUT /api/admin/client-logs/rules/:ruleId': async ({ sql, params, body }) => ({
    json: await replaceRule(sql, params.ruleId, body),
  }),
  'DELETE /api/admin/client-logs/rules/:ruleId': async ({ sql, params }) => {
    await deleteRule(sql, params.ruleId);
    return { json: { ok: true } };
  },
  'POST /api/admin/client-logs/rules/:ruleId/test': async ({ sql, params, runtime }) => {
    const rule = await findRule(sql, params.ruleId);
    const url = `${runtime.config.publicOrigin}/admin/client-logs`;
    const title = `A test of the rule ${rule.name}`;
    const outcome: AlertTest = await deliverAlert(runtime, rule, {
      rule: rule.name,
      kind: 'test',
      title,
      text: title,
      url,
    }).then(
      () => ({ sent: true, error: null }),
      (error: unknown) => ({ sent: false, error: wordsOfFailure(error) }),
    );
    return { json: outcome };
  },
  'GET /api/admin/client-logs/alerts': async ({ sql, runtime }) => ({ json: await readAlerts(sql, runtime.now()) }),
} satisfies Handlers;
