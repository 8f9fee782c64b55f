-- Removes a checkpoint; its message stays.
CREATE FUNCTION remove_checkpoint(v_chat text, v_name text, v_actor text, v_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_message text;
BEGIN
  DELETE FROM checkpoints k USING messages m
  WHERE k.chat_id = v_chat AND k.name = v_name AND m.chat_id = k.chat_id AND m.lane = k.lane AND m.depth = k.depth
  RETURNING m.id INTO v_message;
  IF NOT FOUND THEN
    PERFORM refuse_missing('Checkpoint', v_name);
  END IF;
  PERFORM log_event(v_chat, v_chat, 'CheckpointRemoved', jsonb_build_object('name', v_name, 'message_id', v_message),
    v_actor, v_at);
END $$;
