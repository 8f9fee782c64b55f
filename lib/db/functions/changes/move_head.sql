-- Moves a branch that stands at `v_expected` to another message, or to none (null). Refuses where it stands elsewhere (RM409
-- head_moved), while a reply is being written on it (RM409), and for a message that is not of the chat (RM404).
CREATE FUNCTION move_head(v_chat text, v_branch text, v_expected text, v_head text, v_actor text, v_at timestamptz)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  b branches%rowtype := find_branch(v_chat, v_branch);
  m record;
BEGIN
  SELECT lane, depth INTO m FROM messages WHERE chat_id = v_chat AND id = v_head;
  IF v_head IS NOT NULL AND NOT FOUND THEN
    PERFORM refuse_missing('Message', v_head);
  END IF;
  IF (SELECT id FROM messages WHERE chat_id = v_chat AND lane = b.head_lane AND depth = b.head_depth)
      IS DISTINCT FROM v_expected THEN
    RAISE EXCEPTION 'Branch "%" has moved on', b.name USING ERRCODE = 'RM409', DETAIL = 'head_moved';
  END IF;
  IF v_head IS NOT DISTINCT FROM v_expected THEN
    RETURN;
  END IF;
  PERFORM refuse_live_run(v_chat, v_branch);
  UPDATE branches SET head_lane = m.lane, head_depth = m.depth WHERE chat_id = v_chat AND id = b.id;
  PERFORM log_event(v_chat, b.id, 'HeadMoved', jsonb_build_object('head_message_id', v_head, 'from_message_id', v_expected),
    v_actor, v_at);
END $$;
