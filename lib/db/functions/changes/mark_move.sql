-- Makes the events after `v_since` one move, which Undo takes back next, and returns its number. Without events there is no
-- move. With `v_joins`, the number of a move that was the last event before them, both are one.
CREATE FUNCTION mark_move(v_chat text, v_move text, v_joins bigint, v_since bigint, v_actor text, v_at timestamptz)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_seq bigint := last_seq(v_chat) + 1;
  v_joined jsonb;
BEGIN
  IF v_seq = v_since + 1 THEN
    RETURN NULL;
  END IF;
  IF v_joins = v_since THEN
    SELECT payload INTO v_joined FROM events WHERE chat_id = v_chat AND seq = v_joins AND type = 'MoveMade';
  END IF;
  PERFORM log_event(v_chat, v_chat, 'MoveMade', jsonb_build_object('move', v_move,
    'first_seq', coalesce((v_joined ->> 'first_seq')::bigint, v_since + 1),
    'previous', CASE WHEN v_joined IS NULL THEN (SELECT undo_seq FROM chats WHERE id = v_chat)
      ELSE (v_joined ->> 'previous')::bigint END), v_actor, v_at);
  UPDATE chats SET undo_seq = v_seq, redo_seq = NULL WHERE id = v_chat;
  RETURN v_seq;
END $$;
