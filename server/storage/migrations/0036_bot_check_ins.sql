-- Check-ins that were pressed in the bot and are claimed in a moment, unless who pressed undoes it (docs/decisions/127).
create table bot_check_ins (
  user_id uuid not null references users on delete cascade,
  task_id uuid not null references tasks on delete cascade,
  -- Of the message of the bot that says so, which says later what became of it.
  origin text not null,
  pressed_at timestamptz not null,
  due_at timestamptz not null,
  primary key (user_id, task_id)
);
create index bot_check_ins_due on bot_check_ins (due_at);
create index bot_check_ins_task on bot_check_ins (task_id);

-- Buttons of a message that tell the bot something: a list of `{ label, data }`.
alter table bot_messages add column keys jsonb;
