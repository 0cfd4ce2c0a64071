-- Why: each person chooses the page they start with and how dates and numbers are written. Null means not chosen yet: the start page is
-- then Reports, and the console offers the choice.
alter table tocsin.user
  add column start_page text constraint user_start_page_check check (start_page in ('reports', 'dashboard', 'alarms', 'my-work')),
  add column locale text not null default '' constraint user_locale_check check (locale = '' or locale ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$');
