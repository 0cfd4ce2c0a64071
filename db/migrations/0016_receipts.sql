-- Why: providers report what became of a message by their own id of it, and some do before the answer with that id is written down.
create index notification_provider_idx on tocsin.notification (provider_id) where provider_id <> '';

-- Reports about ids that no message has yet, for the moment until it has.
create table tocsin_private.early_receipt (
  provider text not null,
  provider_id text not null,
  state text not null constraint early_receipt_state_check check (state in ('delivered', 'failed')),
  words text not null,
  created_at timestamptz not null default tocsin_private.clock(),
  primary key (provider, provider_id)
);

-- Where a provider reports to, for whoever enters it there; null where it does not.
alter type tocsin.channel_state add attribute receipt_address text;
