-- Ends a run that the caller still holds (`v_fence`); else it is over or was taken over (RM409 run_over). A reply that was
-- not completed says so in its thread, which is `v_landed` where its partial text became a message. Answers the branch.
CREATE FUNCTION finish_run(
  v_chat text, v_run text, v_fence int, v_status text, v_error jsonb, v_landed text, v_actor text, v_at timestamptz
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  r record;
BEGIN
  UPDATE runs SET status = v_status, error = v_error, ended_at = v_at, lease_until = null
  WHERE chat_id = v_chat AND id = v_run AND status = 'running' AND fence = v_fence
  RETURNING branch_id, reply_to INTO r;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'Run "%" is over or was taken over', v_run USING ERRCODE = 'RM409', DETAIL = 'run_over';
  END IF;
  IF v_status <> 'completed' THEN
    PERFORM log_event(v_chat, coalesce(v_landed, r.branch_id),
      CASE v_status WHEN 'stopped' THEN 'ReplyStopped' ELSE 'ReplyFailed' END,
      jsonb_build_object('run_id', v_run, 'reply_to', r.reply_to) || CASE v_status WHEN 'stopped' THEN '{}'
        ELSE jsonb_build_object('reason', coalesce(v_error ->> 'message', 'unknown')) END, v_actor, v_at);
  END IF;
  RETURN r.branch_id;
END $$;
