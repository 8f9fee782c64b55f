-- Has the agent that writes on a branch go on with another one from its next call on; null takes that back. A branch that is
-- steered there already is no change.
CREATE FUNCTION steer_agent(v_chat text, v_branch text, v_target text, v_actor text, v_at timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_before text;
BEGIN
  PERFORM find_branch(v_chat, v_branch);
  IF v_target IS NOT NULL THEN
    PERFORM find_branch(v_chat, v_target);
  END IF;
  SELECT target_id INTO v_before FROM agent_steers WHERE chat_id = v_chat AND branch_id = v_branch AND followed_at IS NULL;
  IF v_before IS NOT DISTINCT FROM v_target THEN
    RETURN;
  END IF;
  INSERT INTO agent_steers (chat_id, branch_id, target_id, created_at) VALUES (v_chat, v_branch, v_target, v_at)
  ON CONFLICT (chat_id, branch_id) DO UPDATE SET target_id = excluded.target_id, created_at = excluded.created_at,
    followed_at = NULL;
  PERFORM log_event(v_chat, v_chat, 'AgentSteered', jsonb_build_object('branch_id', v_branch, 'to_branch_id', v_target,
    'from_branch_id', v_before), v_actor, v_at);
END $$;
