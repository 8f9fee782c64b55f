-- Exchanges a refresh token for the next tokens: {grantId, person, scopes}. `refused` names what asks for more than was granted.
-- A token that was exchanged before ends its grant (`ended`): two have it. Within ten seconds it is refused alone: an app that
-- asks twice at once is not a thief, and gets nothing for the second time. Null for a token that is wrong or over.
CREATE FUNCTION rotate_oauth_token(p json) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  g oauth_grants;
  t oauth_tokens;
BEGIN
  SELECT * INTO g FROM oauth_grants
    WHERE id = (SELECT grant_id FROM oauth_tokens WHERE hash = p->>'token' AND kind = 'refresh') FOR UPDATE;
  IF NOT FOUND OR g.client_id <> p->>'clientId' THEN RETURN NULL; END IF;
  -- again, under the lock of its grant: while that was waited for, the token may have been spent, or have gone
  SELECT * INTO t FROM oauth_tokens WHERE hash = p->>'token';
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF t.spent_at < clock_timestamp() - interval '10 seconds' THEN
    DELETE FROM oauth_grants WHERE id = g.id;
    RETURN json_build_object('ended', g.id, 'person', g.user_id, 'wasRedeemed', true);
  END IF;
  IF t.spent_at IS NOT NULL OR t.until <= clock_timestamp() THEN RETURN NULL; END IF;
  IF g.resource <> coalesce(p->>'resource', g.resource) THEN RETURN json_build_object('refused', 'resource'); END IF;
  IF NOT string_to_array(coalesce(p->>'scopes', g.scopes), ' ') <@ string_to_array(g.scopes, ' ') THEN
    RETURN json_build_object('refused', 'scope');
  END IF;
  UPDATE oauth_tokens SET spent_at = clock_timestamp() WHERE hash = t.hash;
  PERFORM add_oauth_tokens(g.id, coalesce(p->>'scopes', g.scopes), p);
  RETURN json_build_object('grantId', g.id, 'person', g.user_id, 'scopes', coalesce(p->>'scopes', g.scopes));
END $$;
