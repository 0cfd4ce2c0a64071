-- Why: a command that was queued by mistake waited until its device called in, and nobody could stop it. One that has not been
-- sent yet can be taken back, and says when and by whom.
alter table tocsin.reply_message
  add column taken_back_on timestamptz,
  add column taken_back_by text;
