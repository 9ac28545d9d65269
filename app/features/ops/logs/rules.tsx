import './rules.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Alert, AlertRule, NewAlertRule } from '../../../../server/contract/ops-logs.ts';
import { call } from '../../../lib/http.ts';
import { read } from '../../../lib/query.ts';
import { m } from '../../../paraglide/messages.js';
import { Anchor, Button } from '../../../ui/button.tsx';
import { Card, Chip, SectionHead } from '../../../ui/card.tsx';
import { useListFocus } from '../../../ui/list-focus.ts';
import { Dialog, Sheet } from '../../../ui/sheet.tsx';
import { Empty } from '../../../ui/states.tsx';
import { Inert, LIVE, Live, LogCommandButton, Refused, useLogCommand, useTurn } from './parts.tsx';
import { RuleForm } from './rule-form.tsx';
import { logsAt } from './search.ts';
import { conditionWord, momentWord } from './words.ts';

/** Alert rules: when and how people are alerted, and recent alerts. */
export function Rules({ turn }: { turn: number }) {
  const rules = useQuery({ ...read('GET /api/admin/client-logs/rules'), ...LIVE });
  const alerts = useQuery({ ...read('GET /api/admin/client-logs/alerts'), ...LIVE });
  useTurn(turn, () => [rules.refetch(), alerts.refetch()]);
  const [editing, setEditing] = useState<AlertRule | 'new' | null>(null);
  const close = () => setEditing(null);
  const around = useListFocus<HTMLDivElement>();
  return (
    <div ref={around}>
      <Live query={rules}>
        {(list) => (
          <>
            <SectionHead
              title={m.logs_rules()}
              end={
                <Button icon="plus" onClick={() => setEditing('new')}>
                  {m.logs_rule_add()}
                </Button>
              }
            />
            {list.length === 0 ? (
              <Empty title={m.logs_rules_none()} line={m.logs_rules_none_line()} />
            ) : (
              <Card className="card--rows">
                <ul className="ruled-list">
                  {list.map((rule) => (
                    <Rule key={rule.id} rule={rule} onEdit={() => setEditing(rule)} />
                  ))}
                </ul>
              </Card>
            )}
            <SectionHead title={m.logs_alerts()} />
            <Live query={alerts}>{(recent) => <RecentAlerts alerts={recent} />}</Live>
            <Sheet
              title={editing === 'new' ? m.logs_rule_add() : m.logs_rule_change()}
              open={editing !== null}
              onClose={close}
            >
              {editing !== null && <RuleForm rule={editing === 'new' ? null : editing} onDone={close} />}
            </Sheet>
          </>
        )}
      </Live>
    </div>
  );
}

const targetWord = ({ to }: Pick<NewAlertRule, 'to'>): string =>
  to.kind === 'telegram' ? m.logs_to_telegram({ chat: to.chatId }) : m.logs_to_webhook({ url: to.url });

function Rule({ rule, onEdit }: { rule: AlertRule; onEdit: () => void }) {
  const [asking, setAsking] = useState(false);
  const remove = useLogCommand(
    (ruleId: string) => call('DELETE /api/admin/client-logs/rules/:ruleId', { params: { ruleId } }),
    () => setAsking(false),
  );
  const test = useLogCommand((ruleId: string) =>
    call('POST /api/admin/client-logs/rules/:ruleId/test', { params: { ruleId } }),
  );
  return (
    <li data-row className="alert-rule">
      <div>
        <h3>
          <Inert>{rule.name}</Inert> {!rule.enabled && <Chip kind="pencil">{m.logs_rule_off()}</Chip>}
        </h3>
        <p className="text-small">{conditionWord(rule.when)}</p>
        <p className="text-tiny text-muted">
          <Inert>{targetWord(rule)}</Inert>
          {rule.quiet !== null && (
            <> · {m.logs_quiet({ from: rule.quiet.from, to: rule.quiet.to, zone: rule.quiet.timeZone })}</>
          )}
          {' · '}
          {rule.lastAlertAt === null ? m.logs_rule_never() : m.logs_rule_last({ time: momentWord(rule.lastAlertAt) })}
        </p>
      </div>
      <div className="actions">
        <Button kind="edge" icon="edit" onClick={onEdit}>
          {m.logs_rule_edit()}
        </Button>
        <LogCommandButton kind="words" icon="send" command={test} body={rule.id}>
          {m.logs_rule_test()}
        </LogCommandButton>
        <Button kind="words" icon="discard" onClick={() => setAsking(true)}>
          {m.logs_rule_delete()}
        </Button>
      </div>
      {rule.failing !== null && (
        <p className="text-small" role="status">
          {m.logs_rule_failing({ time: momentWord(rule.failing.since) })} <Inert>{rule.failing.error}</Inert>
        </p>
      )}
      <Refused error={test.error} />
      {test.data && (
        <p className="text-small" role="status">
          {test.data.sent ? (
            m.logs_test_sent()
          ) : (
            <>
              {m.logs_test_failed()} <Inert>{test.data.error ?? ''}</Inert>
            </>
          )}
        </p>
      )}
      <Dialog title={m.logs_rule_delete_title({ name: rule.name })} open={asking} onClose={() => setAsking(false)}>
        <p className="text-small text-muted dialog__line">{m.logs_rule_delete_line()}</p>
        <Refused error={remove.error} />
        <div className="actions">
          <LogCommandButton kind="no" command={remove} body={rule.id}>
            {m.logs_rule_delete()}
          </LogCommandButton>
          <Button kind="words" onClick={() => setAsking(false)}>
            {m.logs_keep()}
          </Button>
        </div>
      </Dialog>
    </li>
  );
}

const ALERT_WORDS = {
  waiting: m.logs_told_waiting,
  held: m.logs_told_held,
  sent: m.logs_told_sent,
  failed: m.logs_told_failed,
} as const;

function RecentAlerts({ alerts }: { alerts: readonly Alert[] }) {
  if (alerts.length === 0) return <Empty title={m.logs_alerts_none()} line={m.logs_alerts_none_line()} />;
  return (
    <Card className="card--rows">
      <ul className="ruled-list">
        {alerts.map((alert) => (
          <li key={alert.id} className="sent-alert">
            <span className="text-tiny text-muted monospace">{momentWord(alert.at)}</span>
            <span>
              {alert.issueId === null ? (
                <Inert>{alert.title}</Inert>
              ) : (
                <Anchor {...logsAt('issue', { issue: alert.issueId })}>
                  <Inert>{alert.title}</Inert>
                </Anchor>
              )}
              <span className="text-tiny text-muted">
                {' '}
                <Inert>{alert.rule}</Inert>
                {alert.error !== null && (
                  <>
                    {' · '}
                    <Inert>{alert.error}</Inert>
                  </>
                )}
              </span>
            </span>
            <Chip kind={alert.state === 'failed' ? 'no' : alert.state === 'sent' ? 'ink' : 'pencil'}>
              {ALERT_WORDS[alert.state]()}
            </Chip>
          </li>
        ))}
      </ul>
    </Card>
  );
}
