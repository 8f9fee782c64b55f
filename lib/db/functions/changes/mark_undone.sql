-- Records that the steps before it took a move back, or made it again; answers the number of that event. `v_move` is the
-- number of the move's MoveMade, `v_next` that of the event that Undo (Redo) finds next.
CREATE FUNCTION mark_undone(v_chat text, v_undone boolean, v_move bigint, v_next bigint, v_actor text, v_at timestamptz)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_previous bigint := (SELECT CASE WHEN v_undone THEN redo_seq ELSE undo_seq END FROM chats WHERE id = v_chat);
  v_seq bigint := log_event(v_chat, v_chat, CASE WHEN v_undone THEN 'MoveUndone' ELSE 'MoveRedone' END,
    jsonb_build_object('move_seq', v_move, CASE WHEN v_undone THEN 'undo_seq' ELSE 'redo_seq' END, v_next,
      'previous', v_previous), v_actor, v_at);
BEGIN
  UPDATE chats SET undo_seq = CASE WHEN v_undone THEN v_next ELSE v_seq END,
    redo_seq = CASE WHEN v_undone THEN v_seq ELSE v_next END
  WHERE id = v_chat;
  RETURN v_seq;
END $$;
