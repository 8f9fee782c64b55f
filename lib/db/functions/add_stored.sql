-- Adds a chat to what a person has stored, or takes it away, if that is known. The row is made where there is none: one
-- that works out what is stored (take_quota) waits for it, and it for that one.
CREATE FUNCTION add_stored(v_person text, v_chat text, v_sign int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO quota_person (user_id) VALUES (v_person)
  ON CONFLICT (user_id) DO UPDATE SET chats = quota_person.chats + v_sign,
    bytes = CASE WHEN quota_person.bytes IS NOT NULL THEN quota_person.bytes + v_sign * chat_bytes(v_chat) END;
END $$;
