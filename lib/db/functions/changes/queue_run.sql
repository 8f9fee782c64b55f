-- Queues the reply to the message that the branch stands at; with a lease the caller holds the run at once. The run's
-- context is the one given, else the branch's. `v_answers`: what a person said to the tools that wait in that message.
-- `v_continues`: the cut reply to that message which this one goes on with.
CREATE FUNCTION queue_run(
  v_chat text, v_branch text, v_run text, v_reply_to text, v_reply text, v_model text, v_context text,
  v_answers jsonb, v_continues text, v_lease double precision, v_at timestamptz
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF v_context IS NOT NULL AND NOT EXISTS (SELECT 1 FROM contexts WHERE chat_id = v_chat AND id = v_context) THEN
    RAISE EXCEPTION 'context % is not stored', v_context USING ERRCODE = 'RM001';
  END IF;
  INSERT INTO runs (chat_id, id, branch_id, reply_to, reply_id, model, context_id, answers, continues, status, lease_until,
    fence, created_at)
  SELECT v_chat, v_run, k.id, v_reply_to, v_reply, v_model, coalesce(v_context, k.context_id), v_answers, v_continues,
    CASE WHEN v_lease IS NULL THEN 'queued' ELSE 'running' END, clock_timestamp() + v_lease * interval '1 millisecond',
    (v_lease IS NOT NULL)::int, v_at
  FROM branches k JOIN messages h ON h.chat_id = k.chat_id AND h.lane = k.head_lane AND h.depth = k.head_depth
  WHERE k.chat_id = v_chat AND k.id = v_branch AND h.id = v_reply_to;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'Branch "%" has moved on', (find_branch(v_chat, v_branch)).name
      USING ERRCODE = 'RM409', DETAIL = 'head_moved';
  END IF;
END $$;
