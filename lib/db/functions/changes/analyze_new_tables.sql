-- Has the planner look at tables that have doubled since it looked at them last, or that it knows nothing of: until then every
-- key looks as good as any other to it, and plans that read whole chats for a look-up are kept. Autovacuum would come in a
-- minute; an embedded database has none. One transaction does it: the others do not wait for its lock. A quarter of the usual
-- sample says as much of keys, and is read while nobody else is answered there. A partitioned table has no pages: its parts do.
CREATE FUNCTION analyze_new_tables() RETURNS void LANGUAGE plpgsql SET default_statistics_target = 25 AS $$
DECLARE
  v_tables oid[] := ARRAY['messages'::regclass, 'events'::regclass, 'runs'::regclass, 'branches'::regclass, 'checkpoints'::regclass];
BEGIN
  IF EXISTS (SELECT 1 FROM pg_class
      WHERE pg_relation_size(oid) > 2 * greatest(relpages, 0) * current_setting('block_size')::bigint
      AND (oid = ANY (v_tables) OR oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = ANY (v_tables))))
    AND pg_try_advisory_xact_lock(hashtext('analyze_new_tables')) THEN
    ANALYZE chats, branches, checkpoints, lanes, messages, events, contexts, runs;
  END IF;
END $$;
