-- Names a message; a checkpoint that has the name already moves to it.
CREATE FUNCTION save_checkpoint(v_chat text, v_id text, v_name text, v_message text, v_actor text, v_at timestamptz)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_from text := (SELECT m.id FROM checkpoints k
    JOIN messages m ON m.chat_id = k.chat_id AND m.lane = k.lane AND m.depth = k.depth
    WHERE k.chat_id = v_chat AND k.name = v_name);
  v_payload jsonb := jsonb_build_object('name', v_name, 'message_id', v_message);
BEGIN
  INSERT INTO checkpoints (chat_id, id, name, lane, depth, created_at)
  SELECT v_chat, v_id, v_name, lane, depth, v_at FROM messages WHERE chat_id = v_chat AND id = v_message
  ON CONFLICT (chat_id, name) DO UPDATE SET lane = excluded.lane, depth = excluded.depth, created_at = excluded.created_at;
  IF NOT FOUND THEN
    PERFORM refuse_missing('Message', v_message);
  END IF;
  IF v_from IS NULL THEN
    -- a new one is named by its id too, from version 2 on
    PERFORM log_event(v_chat, v_chat, 'CheckpointSaved', v_payload || jsonb_build_object('checkpoint_id', v_id), v_actor,
      v_at, 2);
  ELSE
    PERFORM log_event(v_chat, v_chat, 'CheckpointMoved', v_payload || jsonb_build_object('from_message_id', v_from), v_actor,
      v_at);
  END IF;
END $$;
