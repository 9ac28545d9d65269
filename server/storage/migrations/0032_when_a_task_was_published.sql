-- When a task that was no live one last became one: nobody did it before. Null: it is live since it was made, or never was.
alter table tasks add column published_at timestamptz;
