-- Names a chat that has no title, under its lock. The time is that of the chat's last change: to be given a title does not send it to
-- the top of a list. This is the one event that `decide` has not decided: it and the place of the follower are one statement.
CREATE FUNCTION title_chat(v_chat text, v_title text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  c record;
BEGIN
  UPDATE chats SET title = v_title, last_seq = last_seq + 1 WHERE id = v_chat RETURNING last_seq, updated_at INTO c;
  INSERT INTO events (chat_id, seq, stream_id, event_number, type, payload, actor, created_at)
  VALUES (v_chat, c.last_seq, v_chat, 1 + coalesce((SELECT max(event_number) FROM events
      WHERE chat_id = v_chat AND stream_id = v_chat), 0), 'ChatRenamed',
    jsonb_build_object('title', v_title), 'titles', c.updated_at);
END $$;
