import './task-conditions.css';
import { CONDITIONS_PER_GROUP, TOTAL_POINTS_MAX } from '../../../../server/contract/limits.ts';
import type { Condition, Conditions } from '../../../../server/contract/tasks.ts';
import { fromLocal, toLocal } from '../../../lib/dates.ts';
import { m } from '../../../paraglide/messages.js';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Field, Select } from '../../../ui/field.tsx';
import { WholeField } from '../../../ui/whole-field.tsx';

type Other = { id: string; title: string };
type Group = { match: 'all' | 'any'; of: readonly Condition[] };
type Inner = Conditions['of'][number];
const isGroup = (one: Inner): one is Extract<Inner, { match: string }> => 'match' in one;

const KIND_WORDS: Record<Condition['is'], () => string> = {
  level: m.leader_cond_level,
  points: m.leader_cond_points,
  role: m.leader_cond_role,
  task: m.leader_cond_task,
  date: m.leader_cond_date,
};
/** As in the contract. */
const MOST = { level: 1_000, points: TOTAL_POINTS_MAX } as const;
const emptyCondition = (is: Condition['is'], others: readonly Other[]): Condition => {
  if (is === 'level') return { is, atLeast: 2 };
  if (is === 'points') return { is, atLeast: 100 };
  if (is === 'role') return { is, role: 'moderator' };
  if (is === 'task') return { is, taskId: others[0]?.id ?? '' };
  return { is, from: null, until: null };
};

/** A task's conditions: all or any must be met, with groups one level deep. */
export function ConditionFields(props: {
  conditions: Conditions | null;
  others: readonly Other[];
  onConditions: (conditions: Conditions | null) => void;
}) {
  const { conditions, others, onConditions } = props;
  const put = (of: Inner[]) => onConditions(of.length > 0 ? { match: conditions?.match ?? 'all', of } : null);
  const of = conditions?.of ?? [];
  const first = emptyCondition('level', others);
  return (
    <fieldset className="form-group">
      <legend>{m.leader_conditions()}</legend>
      {conditions === null && <p className="text-small text-muted">{m.leader_conditions_none()}</p>}
      {of.length > 1 && <Match value={conditions?.match ?? 'all'} onValue={(match) => onConditions({ match, of })} />}
      {of.map((one, at) => {
        const replace = (next: Inner) => put(of.map((other, index) => (index === at ? next : other)));
        const drop = () => put(of.filter((_, index) => index !== at));
        const key = `${at} ${isGroup(one) ? 'group' : one.is}`;
        return isGroup(one) ? (
          <GroupFields key={key} group={one} others={others} onGroup={replace} onDrop={drop} />
        ) : (
          <ConditionLine key={key} condition={one} others={others} onCondition={replace} onDrop={drop} />
        );
      })}
      {of.length < CONDITIONS_PER_GROUP && (
        <div className="actions">
          <Button kind="words" icon="plus" onClick={() => put([...of, first])}>
            {m.leader_cond_add()}
          </Button>
          {of.length > 0 && (
            <Button kind="words" icon="plus" onClick={() => put([...of, { match: 'any', of: [first] }])}>
              {m.leader_cond_add_group()}
            </Button>
          )}
        </div>
      )}
    </fieldset>
  );
}

function GroupFields(props: {
  group: Group;
  others: readonly Other[];
  onGroup: (group: { match: 'all' | 'any'; of: Condition[] }) => void;
  onDrop: () => void;
}) {
  const { group, others, onGroup, onDrop } = props;
  const put = (of: Condition[]) => (of.length > 0 ? onGroup({ match: group.match, of }) : onDrop());
  return (
    <fieldset className="form-group form-group--inset">
      <legend>{m.leader_cond_group()}</legend>
      <Match value={group.match} onValue={(match) => onGroup({ match, of: [...group.of] })} />
      {group.of.map((one, at) => (
        <ConditionLine
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions are identified by their index
          key={`${at} ${one.is}`}
          condition={one}
          others={others}
          onCondition={(next) => put(group.of.map((other, index) => (index === at ? next : other)))}
          onDrop={() => put(group.of.filter((_, index) => index !== at))}
        />
      ))}
      {group.of.length < CONDITIONS_PER_GROUP && (
        <Button kind="words" icon="plus" onClick={() => put([...group.of, emptyCondition('level', others)])}>
          {m.leader_cond_add()}
        </Button>
      )}
    </fieldset>
  );
}

function Match({ value, onValue }: { value: 'all' | 'any'; onValue: (value: 'all' | 'any') => void }) {
  return (
    <Select
      label={m.leader_cond_match()}
      options={[
        { value: 'all', label: m.leader_cond_all() },
        { value: 'any', label: m.leader_cond_any() },
      ]}
      value={value}
      onValue={onValue}
    />
  );
}

function ConditionLine(props: {
  condition: Condition;
  others: readonly Other[];
  onCondition: (condition: Condition) => void;
  onDrop: () => void;
}) {
  const { condition, others, onCondition } = props;
  const kinds = (['level', 'points', 'role', 'task', 'date'] as const).filter(
    (is) => is !== 'task' || others.length > 0,
  );
  return (
    <div className="condition-row">
      <Select
        label={m.leader_cond_kind()}
        options={kinds.map((value) => ({ value, label: KIND_WORDS[value]() }))}
        value={condition.is}
        onValue={(is) => onCondition(emptyCondition(is, others))}
      />
      {(condition.is === 'level' || condition.is === 'points') && (
        <WholeField
          label={m.leader_cond_at_least()}
          min={1}
          max={MOST[condition.is]}
          value={condition.atLeast}
          onValue={(atLeast) => onCondition({ ...condition, atLeast })}
        />
      )}
      {condition.is === 'role' && (
        <Select
          label={m.leader_cond_role()}
          options={[
            { value: 'moderator', label: m.member_role_moderator() },
            { value: 'member', label: m.member_role_member() },
          ]}
          value={condition.role}
          onValue={(role) => onCondition({ ...condition, role })}
        />
      )}
      {condition.is === 'task' && (
        <Select
          label={m.leader_cond_task()}
          options={others.map(({ id, title }) => ({ value: id, label: title }))}
          value={condition.taskId}
          onValue={(taskId) => onCondition({ ...condition, taskId })}
        />
      )}
      {condition.is === 'date' && (
        <div className="two-columns">
          <Field
            label={m.leader_cond_from()}
            type="datetime-local"
            value={toLocal(condition.from)}
            onValue={(text) => onCondition({ ...condition, from: fromLocal(text) })}
          />
          <Field
            label={m.leader_cond_until()}
            type="datetime-local"
            value={toLocal(condition.until)}
            onValue={(text) => onCondition({ ...condition, until: fromLocal(text) })}
          />
        </div>
      )}
      <IconButton
        icon="discard"
        label={m.leader_cond_drop({ what: KIND_WORDS[condition.is]() })}
        onClick={props.onDrop}
      />
    </div>
  );
}
