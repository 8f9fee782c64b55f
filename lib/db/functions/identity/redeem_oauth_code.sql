-- Exchanges a code for tokens, once: {grantId, person, scopes}. A code that comes again, late, from another app or with another
-- address or verifier is in wrong hands: its grant ends with every token, and `ended` says whose it was. Null for no such code.
CREATE FUNCTION redeem_oauth_code(p json) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  g oauth_grants;
BEGIN
  SELECT * INTO g FROM oauth_grants WHERE code_hash = p->>'code' FOR UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF g.redeemed_at IS NOT NULL OR g.ends_at <= clock_timestamp() OR g.client_id <> p->>'clientId'
    OR g.redirect_uri <> p->>'redirectUri' OR g.code_challenge <> p->>'challenge'
    OR g.resource <> coalesce(p->>'resource', g.resource) THEN
    DELETE FROM oauth_grants WHERE id = g.id;
    RETURN json_build_object('ended', g.id, 'person', g.user_id, 'wasRedeemed', g.redeemed_at IS NOT NULL);
  END IF;
  PERFORM add_oauth_tokens(g.id, g.scopes, p);
  RETURN json_build_object('grantId', g.id, 'person', g.user_id, 'scopes', g.scopes);
END $$;
