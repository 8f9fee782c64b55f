-- Has the agent that writes on a branch go on with another one from its next call on; null takes that back.
CREATE FUNCTION steer_agent(v_chat text, v_branch text, v_target text, v_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM find_branch(v_chat, v_branch);
  IF v_target IS NULL THEN
    DELETE FROM agent_steers WHERE chat_id = v_chat AND branch_id = v_branch;
    RETURN;
  END IF;
  PERFORM find_branch(v_chat, v_target);
  INSERT INTO agent_steers (chat_id, branch_id, target_id, created_at) VALUES (v_chat, v_branch, v_target, v_at)
  ON CONFLICT (chat_id, branch_id) DO UPDATE SET target_id = excluded.target_id, created_at = excluded.created_at;
END $$;
