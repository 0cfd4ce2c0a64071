-- oldest program: 0014_system_page.sql
-- After a start with a wrong clock, product time can be months ahead of the database's clock. An integer holds 24 days.
alter table tocsin_private.process alter column clock_offset_ms type double precision;
