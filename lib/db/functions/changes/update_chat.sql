-- Sets a chat's title, where it still has `v_instead` if that is given, and adds to its metadata; null leaves either as it is.
CREATE FUNCTION update_chat(v_chat text, v_title text, v_instead text, v_metadata jsonb, v_actor text, v_at timestamptz)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE chats SET title = v_title WHERE id = v_chat AND title IS DISTINCT FROM v_title AND v_title IS NOT NULL
    AND (v_instead IS NULL OR title = v_instead);
  IF FOUND THEN
    PERFORM log_event(v_chat, v_chat, 'ChatRenamed', jsonb_build_object('title', v_title), v_actor, v_at);
  END IF;
  IF v_metadata IS NOT NULL THEN
    UPDATE chats SET metadata = metadata || v_metadata WHERE id = v_chat;
    PERFORM log_event(v_chat, v_chat, 'ChatUpdated', jsonb_build_object('metadata', v_metadata), v_actor, v_at);
  END IF;
END $$;
