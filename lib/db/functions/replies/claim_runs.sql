-- Claims runs that wait for a process: queued ones, and those whose holder has died, in turns by person.
-- Of one person's live runs the held ones count first, then those whose holder has died, then the queued ones, oldest first.
-- The number of a run in that order is its round: lower rounds go first, a queued run above `perPerson` waits, and above
-- `few` a run takes only a general place. A run whose holder has died is among the running ones already, so `perPerson`
-- does not hold it back.
-- Claims wait for each other. Each counts the runs that the previous one claimed: it reads in a statement after the lock.
-- Every attempt that died makes the next one wait a little longer, up to 4 s. The fence rises with each claim; a queued run
-- has had no attempt yet. Returns the claimed runs and the number of those that still wait.
CREATE FUNCTION claim_runs(p json) RETURNS json LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off AS $fn$
DECLARE
  q record;
  v_answer json;
BEGIN
  PERFORM pg_advisory_xact_lock(727275);
  -- storing: by person, the turns that have a place and are not stored yet
  SELECT * INTO q FROM json_to_record(p) AS x("leaseMs" double precision, total int, general int, few int,
    "perPerson" int, storing jsonb, "except" text[]);
  WITH live AS (
    SELECT r.chat_id, r.id, r.created_at, k.user_id, r.status = 'queued' AS queued,
      r.status = 'running' AND r.id <> ALL (q."except")
        AND r.lease_until + (least(2 ^ r.attempt - 2, 4) * interval '1 second') < clock_timestamp() AS abandoned
    FROM runs r JOIN chats k ON k.id = r.chat_id
    WHERE r.status IN ('queued', 'running')
  ), ranked AS (
    SELECT l.*, coalesce((q.storing ->> l.user_id)::int, 0) + row_number() OVER (PARTITION BY l.user_id
      ORDER BY l.queued, l.abandoned, l.created_at, l.id) AS round
    FROM live l
  ), fit AS (
    SELECT k.*, row_number() OVER (ORDER BY k.round, k.created_at, k.id) AS place
    FROM ranked k WHERE k.abandoned OR (k.queued AND (q."perPerson" IS NULL OR k.round <= q."perPerson"))
  ), wanted AS (
    SELECT r.chat_id, r.id FROM runs r JOIN fit f ON f.chat_id = r.chat_id AND f.id = r.id
    WHERE f.place <= q.total AND (f.place <= q.general OR f.round <= q.few)
      -- checked again on the row as it is once it is locked
      AND (r.status = 'queued' OR (r.status = 'running'
        AND r.lease_until + (least(2 ^ r.attempt - 2, 4) * interval '1 second') < clock_timestamp()))
    FOR NO KEY UPDATE OF r SKIP LOCKED
  ), taken AS (
    UPDATE runs r SET status = 'running', fence = r.fence + 1, attempt = r.attempt + (r.status = 'running')::int,
      lease_until = clock_timestamp() + q."leaseMs" * interval '1 millisecond'
    FROM wanted w WHERE r.chat_id = w.chat_id AND r.id = w.id
    RETURNING r.*
  )
  SELECT json_build_object(
    'waiting', (SELECT count(*) FROM live l WHERE l.queued OR l.abandoned) - (SELECT count(*) FROM taken),
    'runs', coalesce((SELECT json_agg(json_build_object('chatId', t.chat_id, 'runId', t.id, 'branchId', t.branch_id,
        'replyTo', t.reply_to, 'replyId', t.reply_id, 'model', t.model, 'contextId', t.context_id, 'answers', t.answers,
        'continues', t.continues, 'fence', t.fence, 'attempt', t.attempt, 'status', t.status, 'stopping', t.stop_at IS NOT NULL, 'ownerId', f.user_id) ORDER BY f.place)
      FROM taken t JOIN fit f ON f.chat_id = t.chat_id AND f.id = t.id), '[]')) INTO v_answer;
  RETURN v_answer;
END $fn$;
