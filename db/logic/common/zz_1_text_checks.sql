-- Refuses line breaks, so that a name cannot break the layout of a list, message or file. Checks every text column that
-- requests may write, except the multi-line columns listed below. Stored text is checked only when it changes.
create or replace function tocsin_private.refuse_line_break() returns trigger language plpgsql
  as $$
declare
  field text;
begin
  foreach field in array tg_argv loop
    if to_jsonb(new) ->> field ~ E'[\n\x0b\f\r\u0085\u2028\u2029]'
      and (tg_op = 'INSERT' or to_jsonb(new) ->> field is distinct from to_jsonb(old) ->> field) then
      perform tocsin_private.refuse(field, 'Remove the line breaks. This field allows only one line.');
    end if;
  end loop;
  return new;
end
$$;

do $$
declare
  item record;
begin
  for item in
    select c.oid::regclass as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where n.nspname = 'tocsin' and c.relkind in ('r', 'p') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped and a.atttypid = 'text'::regtype
      and (has_column_privilege('tocsin_request', c.oid, a.attnum, 'insert') or has_column_privilege('tocsin_request', c.oid, a.attnum, 'update'))
      and (c.relname, a.attname) not in (
        ('site', 'address'), ('alarm', 'message'), ('alarm', 'reason'), ('alarm', 'acknowledge_text'), ('alarm', 'resolve_note'),
        ('rule', 'message'), ('alarm_default_message', 'message'), ('rules_json', 'rule_json'), ('action', 'reply_command'),
        ('action', 'tocsin_users'), ('reply_message', 'reply_command'))
      and a.attname <> 'description'
    group by c.oid
  loop
    execute format('create trigger one_line before insert or update of %s on %s for each row when (%s) execute function tocsin_private.refuse_line_break(%s)',
      (select string_agg(format('%I', col), ', ') from unnest(item.columns) col), item.name,
      (select string_agg(format('new.%I ~ %L', col, E'[\n\x0b\f\r\u0085\u2028\u2029]'), ' or ') from unnest(item.columns) col),
      (select string_agg(format('%L', col), ', ') from unnest(item.columns) col));
  end loop;
end
$$;

-- Refuses mandatory text that is blank, as the forms do. Stored text is checked only when it changes.
create or replace function tocsin_private.refuse_blank_text() returns trigger language plpgsql
  as $$
declare
  -- The same whitespace characters that String.prototype.trim removes.
  blanks constant text := E' \t\n\x0b\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';
  field text;
  written text;
begin
  foreach field in array tg_argv loop
    written := to_jsonb(new) ->> field;
    -- Empty text is refused by the length check, with a separate message.
    if written <> '' and btrim(written, blanks) = '' and (tg_op = 'INSERT' or written is distinct from to_jsonb(old) ->> field) then
      perform tocsin_private.refuse(field, 'Enter text, not only spaces.');
    end if;
  end loop;
  return new;
end
$$;

do $$
declare
  item record;
begin
  for item in select * from (values
    ('site', 'name', 'site_id'), ('asset', 'name', null), ('group', 'name', null), ('sensor', 'uid', null), ('sensor_channel', 'name', null),
    ('asset_datapoint', 'tocsin_datapoint_name', null), ('rule', 'name', null), ('rule_alert', 'tocsin_rule_name', null),
    ('rules_json', 'rule_name', null), ('user', 'display_name', 'username'), ('alarm', 'message', null), ('reason', 'reason', null),
    ('alarm_default_message', 'message', null)) mandatory (name, first, second)
  loop
    execute format('create trigger blank_text before insert or update on tocsin.%I for each row
      when (tocsin_private.me() is not null) execute function tocsin_private.refuse_blank_text(%s)', item.name,
      concat_ws(', ', quote_literal(item.first), quote_literal(item.second)));
  end loop;
end
$$;
