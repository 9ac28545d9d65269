-- Lines that name nobody on Telegram wait for whoever proves the X handle in them: looked for as the names are.
create index if not exists imported_people_x on imported_people (x_handle)
  where state = 'waiting' and telegram_user_id is null and telegram_username is null;
