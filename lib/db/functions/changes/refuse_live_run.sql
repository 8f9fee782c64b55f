-- Refuses a change to a branch on which a reply is queued or being written.
CREATE FUNCTION refuse_live_run(v_chat text, v_branch text) RETURNS void LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM runs WHERE chat_id = v_chat AND branch_id = v_branch AND status IN ('queued', 'running')) THEN
    RAISE EXCEPTION 'A reply is being written on this branch' USING ERRCODE = 'RM409', DETAIL = 'reply_in_progress';
  END IF;
END $$;
