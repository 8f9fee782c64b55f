-- Moves today's use from one person to another. The stored sums follow the chats by themselves (chat_stored_elsewhere).
CREATE FUNCTION move_quota(v_from text, v_to text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  f quota_person%rowtype;
BEGIN
  SELECT * INTO f FROM quota_person WHERE user_id = v_from FOR UPDATE;
  IF NOT FOUND OR f.day IS DISTINCT FROM (clock_timestamp() AT TIME ZONE 'UTC')::date THEN
    RETURN;
  END IF;
  UPDATE quota_person SET messages = 0, calls = 0, tokens = 0 WHERE user_id = v_from;
  INSERT INTO quota_person (user_id, day, messages, calls, tokens) VALUES (v_to, f.day, f.messages, f.calls, f.tokens)
  ON CONFLICT (user_id) DO UPDATE SET day = f.day,
    messages = f.messages + CASE WHEN quota_person.day = f.day THEN quota_person.messages ELSE 0 END,
    calls = f.calls + CASE WHEN quota_person.day = f.day THEN quota_person.calls ELSE 0 END,
    tokens = f.tokens + CASE WHEN quota_person.day = f.day THEN quota_person.tokens ELSE 0 END;
END $$;
