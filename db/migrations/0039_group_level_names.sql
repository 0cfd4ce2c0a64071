-- A company calls the levels of its groups as it speaks of them: region, district, area. An empty name keeps the usual one.
alter table tocsin.customer
  add column group2_name text not null default '',
  add column group3_name text not null default '',
  add column group4_name text not null default '',
  add column group5_name text not null default '';
