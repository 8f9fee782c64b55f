-- The person that an access token stands for; null for one that is wrong, expired, of an app that was disconnected, or made for
-- another address. Records the use, to the minute.
CREATE FUNCTION use_oauth_token(v_hash text, v_resource text) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  r record;
BEGIN
  SELECT u.id, u.name, u.is_anonymous AS guest, g.id AS "grantId", t.scopes, epoch_ms(t.until) AS "expiresAt"
    INTO r FROM oauth_tokens t JOIN oauth_grants g ON g.id = t.grant_id JOIN "user" u ON u.id = g.user_id
    WHERE t.hash = v_hash AND t.kind = 'access' AND t.until > clock_timestamp() AND g.resource = v_resource;
  IF NOT FOUND THEN RETURN NULL; END IF;
  UPDATE oauth_grants SET last_used_at = now()
    WHERE id = r."grantId" AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute');
  RETURN row_to_json(r);
END $$;
