-- A steered agent has called, and goes on on the branch `v_on`. Refused (RM409 head_moved) where it is steered elsewhere by now,
-- or not any more.
CREATE FUNCTION follow_steering(v_chat text, v_branch text, v_target text, v_on text, v_actor text, v_at timestamptz)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE agent_steers SET target_id = v_on, followed_at = v_at
  WHERE chat_id = v_chat AND branch_id = v_branch AND target_id = v_target AND followed_at IS NULL;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'The agent is steered elsewhere by now' USING ERRCODE = 'RM409', DETAIL = 'head_moved';
  END IF;
  PERFORM log_event(v_chat, v_chat, 'AgentFollowed', jsonb_build_object('branch_id', v_branch, 'to_branch_id', v_on), v_actor,
    v_at);
END $$;
