-- Adds the first branch of a chat that was just created, and records what the chat began with.
CREATE FUNCTION log_chat(c chats, v_create json, v_actor text, v_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_branch(c.id, c.active_branch_id, coalesce(v_create ->> 'branchName', 'main'), null, null, null, null, 0,
    v_create ->> 'contextId', v_actor, v_at);
  IF c.title IS NOT NULL THEN
    PERFORM log_event(c.id, c.id, 'ChatRenamed', jsonb_build_object('title', c.title), v_actor, v_at);
  END IF;
  IF c.metadata <> '{}' THEN
    PERFORM log_event(c.id, c.id, 'ChatUpdated', jsonb_build_object('metadata', c.metadata), v_actor, v_at);
  END IF;
END $$;
