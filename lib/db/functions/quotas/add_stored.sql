-- Adds a chat to a person's stored sum (or removes it), if that sum is known. Inserts the row where there is none, so a
-- concurrent take_quota that works the sum out waits for this transaction, and this one for that.
CREATE FUNCTION add_stored(v_person text, v_chat text, v_sign int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO quota_person (user_id) VALUES (v_person)
  ON CONFLICT (user_id) DO UPDATE SET chats = quota_person.chats + v_sign,
    bytes = CASE WHEN quota_person.bytes IS NOT NULL THEN quota_person.bytes + v_sign * chat_bytes(v_chat) END;
END $$;
