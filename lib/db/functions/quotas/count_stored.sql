-- Works out the stored sum of a person, if it is not known. Called after a refusal, which rolls back the sum it worked out.
CREATE FUNCTION count_stored(v_person text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO quota_person (user_id) VALUES (v_person) ON CONFLICT (user_id) DO NOTHING;
  PERFORM 1 FROM quota_person WHERE user_id = v_person FOR UPDATE;
  UPDATE quota_person SET (bytes, chats) = (
    SELECT coalesce(sum(chat_bytes(c.id)), 0) + file_bytes(v_person), count(*) FROM chats c WHERE c.user_id = v_person)
  WHERE user_id = v_person AND bytes IS NULL;
END $$;
