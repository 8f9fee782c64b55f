-- The stored sums of a person, worked out if they are not known. Called after a refusal too, which rolls back what it worked out.
CREATE FUNCTION count_stored(v_person text, OUT bytes bigint, OUT chats int) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  -- the lock: a statement after it sees what others have written
  INSERT INTO quota_person AS q (user_id) VALUES (v_person) ON CONFLICT (user_id) DO UPDATE SET bytes = q.bytes;
  UPDATE quota_person SET (bytes, chats) = (
    SELECT coalesce(sum(chat_bytes(c.id)), 0) + file_bytes(v_person), count(*) FROM chats c WHERE c.user_id = v_person)
  WHERE user_id = v_person AND bytes IS NULL;
  SELECT q.bytes, q.chats INTO count_stored.bytes, count_stored.chats FROM quota_person q WHERE q.user_id = v_person;
END $$;
