-- Creates an API key, unless its owner has p.most of them. The lock on the user's row makes concurrent calls for one person
-- serial, so the count is exact. Returns the count before; null when there is no such person.
CREATE FUNCTION make_api_key(p json) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  v_used int;
BEGIN
  PERFORM 1 FROM "user" WHERE id = p->>'userId' FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  SELECT count(*) INTO v_used FROM api_keys WHERE user_id = p->>'userId';
  IF v_used >= (p->>'most')::int THEN RETURN v_used; END IF;
  INSERT INTO api_keys (id, user_id, name, hash, hint, scopes, expires_at)
    VALUES (p->>'id', p->>'userId', p->>'name', p->>'hash', p->>'hint', p->>'scopes', (p->>'expiresAt')::timestamptz);
  RETURN v_used;
END $$;
