-- Lets an app in: a grant with a code that waits p.codeSeconds. Returns how many apps the person had let in before; null for a
-- guest, and without such a person or app. Where there are p.most, nothing is written. The lock on the user's row makes
-- concurrent calls for one person serial.
CREATE FUNCTION make_oauth_grant(p json) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  v_used int;
BEGIN
  PERFORM 1 FROM "user" WHERE id = p->>'userId' AND NOT is_anonymous AND gone_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  SELECT count(*) INTO v_used FROM oauth_grants WHERE user_id = p->>'userId' AND ends_at > clock_timestamp();
  IF v_used >= (p->>'most')::int THEN RETURN v_used; END IF;
  UPDATE oauth_clients SET approved_at = clock_timestamp() WHERE id = p->>'clientId';
  IF NOT FOUND THEN RETURN NULL; END IF;
  INSERT INTO oauth_grants (id, user_id, client_id, scopes, resource, redirect_uri, code_hash, code_challenge, ends_at)
    VALUES (p->>'id', p->>'userId', p->>'clientId', p->>'scopes', p->>'resource', p->>'redirectUri', p->>'codeHash',
      p->>'codeChallenge', clock_timestamp() + (p->>'codeSeconds')::int * interval '1 second');
  RETURN v_used;
END $$;
