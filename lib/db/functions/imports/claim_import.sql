-- Has the caller hold the import that waits longest, of a person none of whose imports is being worked on: new ones, and
-- those whose process has died. A running one keeps new ones of its person waiting also when its lease is over: it is
-- locked and passed over while its process writes, which may take longer than the lease. One whose process holds its name
-- (Imports.attend) is passed over for ten leases more: a process that is too busy to renew a lease is not dead. One that has killed its process `v_attempts` times without getting on is ended instead.
-- Answers its row; null when none waits.
CREATE FUNCTION claim_import(v_lease double precision, v_attempts int) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  i imports%rowtype;
  v_attended text[] := (SELECT array_agg(w.id) FROM imports w
    JOIN pg_locks l ON l.locktype = 'advisory' AND l.objsubid = 1 AND l.granted
      AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
      AND (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended('import ' || w.id, 0)
    WHERE w.status = 'running' AND w.lease_until < clock_timestamp()
      AND w.lease_until > clock_timestamp() - v_lease * interval '10 milliseconds');
BEGIN
  UPDATE imports SET status = 'failed', ended_at = clock_timestamp(), lease_until = NULL,
    reason = format('The server stopped %s times while it read this file, so it is not tried again. What was imported '
      'before stays. Import the file in parts, or one chat at a time; the chat that it stopped at may be too large.',
      v_attempts)
  WHERE ended_at IS NULL AND status = 'running' AND lease_until < clock_timestamp() AND attempts >= v_attempts
    AND id <> ALL (coalesce(v_attended, '{}'));
  SELECT * INTO i FROM imports w
  WHERE w.ended_at IS NULL AND w.status IN ('queued', 'running')
    AND (w.lease_until IS NULL OR w.lease_until < clock_timestamp()) AND w.id <> ALL (coalesce(v_attended, '{}'))
    AND NOT EXISTS (SELECT 1 FROM imports o WHERE o.ended_at IS NULL AND o.user_id = w.user_id AND o.id <> w.id
      AND o.status = 'running' AND (w.status = 'queued' OR o.lease_until >= clock_timestamp()))
  ORDER BY w.status = 'running' DESC, w.created_at, w.id LIMIT 1 FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  -- Two processes may look at the same time, at two imports of one person: one of them has the lock, and the other, once it
  -- gets that, does not see in what it read before that the first holds one by now. So it looks again.
  IF NOT pg_try_advisory_xact_lock(hashtextextended('import ' || i.user_id, 0)) THEN
    RETURN NULL;
  END IF;
  UPDATE imports w SET status = 'running', fence = fence + 1, attempts = attempts + 1,
    lease_until = clock_timestamp() + v_lease * interval '1 millisecond'
  WHERE id = i.id AND NOT EXISTS (SELECT 1 FROM imports o WHERE o.ended_at IS NULL AND o.user_id = w.user_id AND o.id <> w.id
    AND o.status = 'running' AND (w.status = 'queued' OR o.lease_until >= clock_timestamp())) RETURNING * INTO i;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  RETURN json_build_object('id', i.id, 'ownerId', i.user_id, 'name', i.name, 'source', i.source, 'place', i.place,
    'choice', i.choice, 'fence', i.fence);
END $$;
