/**
 * Gives the parts of partitioned tables what Postgres does not pass on to them; harmless where it was done or where there are none. Triggers of
 * statements guard the table that a statement names and no other, so each part has its own. A refused row names the index of
 * its part, so that is called like the table's index with the number of the part: `messages_id_3`.
 */
export const completeParts = `do $$ declare g record; begin
  for g in
    select pg_get_triggerdef(t.oid) as made, format(' ON %I.%I ', s.nspname, c.relname) as whole,
      format(' ON %I.%I ', s.nspname, p.relname) as part
    from pg_trigger t join pg_class c on c.oid = t.tgrelid and c.relkind = 'p'
      join pg_namespace s on s.oid = c.relnamespace and s.nspname = 'public'
      join pg_inherits i on i.inhparent = c.oid join pg_class p on p.oid = i.inhrelid
    where not t.tgisinternal and t.tgtype & 1 = 0
      and not exists (select 1 from pg_trigger o where o.tgrelid = p.oid and o.tgname = t.tgname)
  loop execute replace(g.made, g.whole, g.part); end loop;
  for g in
    select k.oid::regclass as called, w.relname || substr(p.relname, length(c.relname) + 1) as name
    from pg_inherits i join pg_class w on w.oid = i.inhparent and w.relkind = 'I' and w.relnamespace = 'public'::regnamespace
      join pg_index x on x.indexrelid = i.inhrelid join pg_class k on k.oid = x.indexrelid
      join pg_class p on p.oid = x.indrelid
      join pg_index y on y.indexrelid = w.oid join pg_class c on c.oid = y.indrelid
    where starts_with(p.relname, c.relname || '_') and k.relname <> w.relname || substr(p.relname, length(c.relname) + 1)
  loop execute format('alter index %s rename to %I', g.called, g.name); end loop;
end $$`
