-- What is announced and its notification are one act: an announcement has one notification at most, whoever tries again. What it is
-- about (`subject_id`) has named the announcement since notifications are kept. The notification may be changed until it is sent, and
-- so may the announcement: who looks at a dashboard meanwhile is told.
create unique index if not exists notifications_of_announcement on notifications (subject_id) where campaign;

create trigger announcements_changed after update on announcements
  for each row execute function dashboard_changed();
