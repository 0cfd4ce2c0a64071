-- The audit trail, and data of the installation itself.
--
-- Who changed what, before and after. No foreign keys: audit rows outlive what they describe.
create table tocsin.audit (
  id bigint generated always as identity primary key,
  tocsin_customer_uuid uuid,
  tocsin_user_uuid uuid,
  user_display_name text not null,
  action text not null,
  noun text not null,
  row_key text not null,
  before jsonb,
  after jsonb,
  created_at timestamptz not null default tocsin_private.clock(),
  updated_at timestamptz not null default tocsin_private.clock()
);
create index audit_created_idx on tocsin.audit (tocsin_customer_uuid, created_at, id);
create index audit_noun_idx on tocsin.audit (tocsin_customer_uuid, noun, created_at);
create index audit_user_idx on tocsin.audit (tocsin_customer_uuid, tocsin_user_uuid, created_at);
create index audit_row_idx on tocsin.audit (row_key);

-- Keys that the server generates on first use, such as the XSRF signing key.
create table tocsin_private.secret (
  name text primary key,
  value bytea not null,
  created_at timestamptz not null default tocsin_private.clock()
);

-- Settings of this installation, such as the customer for unknown host names.
create table tocsin_private.installation (
  name text primary key,
  value jsonb not null
);
