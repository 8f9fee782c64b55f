-- Makes a branch the one that the chat opens on. Answers the branch that was active; null when nothing changed.
CREATE FUNCTION switch_branch(v_chat text, v_branch text, v_actor text, v_at timestamptz) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  b branches%rowtype := find_branch(v_chat, v_branch);
  v_from text := (SELECT active_branch_id FROM chats WHERE id = v_chat);
  v_seq bigint;
BEGIN
  IF v_from = b.id THEN
    RETURN NULL;
  END IF;
  UPDATE chats SET active_branch_id = b.id WHERE id = v_chat;
  v_seq := log_event(v_chat, v_chat, 'BranchSwitched', jsonb_build_object('branch_id', b.id, 'from_branch_id', v_from),
    v_actor, v_at);
  RETURN v_from;
END $$;
