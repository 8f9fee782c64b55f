-- Writes an access token and a refresh token of a grant, which lasts as long as the latter.
CREATE FUNCTION add_oauth_tokens(v_grant text, v_scopes text, p json) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_now timestamptz := clock_timestamp();
  v_end timestamptz := v_now + (p->>'refreshSeconds')::int * interval '1 second';
BEGIN
  INSERT INTO oauth_tokens (hash, grant_id, kind, scopes, until) VALUES
    (p->>'access', v_grant, 'access', v_scopes, v_now + (p->>'accessSeconds')::int * interval '1 second'),
    (p->>'refresh', v_grant, 'refresh', v_scopes, v_end);
  UPDATE oauth_grants SET ends_at = v_end, redeemed_at = coalesce(redeemed_at, v_now) WHERE id = v_grant;
END $$;
