-- Records that the steps before it took a move back, or made it again. `v_move` is the number of its MoveMade, `v_next` that of
-- the event that Undo (Redo) finds next.
CREATE FUNCTION mark_undone(v_chat text, v_undone boolean, v_move bigint, v_next bigint, v_actor text, v_at timestamptz)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  c record;
  v_seq bigint := last_seq(v_chat) + 1;
BEGIN
  SELECT undo_seq, redo_seq INTO c FROM chats WHERE id = v_chat;
  PERFORM log_event(v_chat, v_chat, CASE WHEN v_undone THEN 'MoveUndone' ELSE 'MoveRedone' END,
    jsonb_build_object('move_seq', v_move, CASE WHEN v_undone THEN 'undo_seq' ELSE 'redo_seq' END, v_next,
      'previous', CASE WHEN v_undone THEN c.redo_seq ELSE c.undo_seq END), v_actor, v_at);
  UPDATE chats SET undo_seq = CASE WHEN v_undone THEN v_next ELSE v_seq END,
    redo_seq = CASE WHEN v_undone THEN v_seq ELSE v_next END
  WHERE id = v_chat;
END $$;
