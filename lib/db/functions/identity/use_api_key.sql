-- The holder of a key; null for a key that is wrong, expired or revoked. Records the use, with the latest 50 addresses. Of
-- several concurrent first uses from one address only one reports it as new: the update decides.
CREATE FUNCTION use_api_key(v_hash text, v_address text) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  r record;
BEGIN
  SELECT u.id, u.name, u.is_anonymous AS guest, k.id AS "keyId", k.scopes, epoch_ms(k.expires_at) AS "expiresAt",
      NOT v_address = ANY (k.addresses) AS "fromNewAddress",
      k.last_used_at IS NULL OR k.last_used_at < now() - interval '1 minute' AS stale
    INTO r FROM api_keys k JOIN "user" u ON u.id = k.user_id
    WHERE k.hash = v_hash AND (k.expires_at IS NULL OR k.expires_at > now());
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF r.stale OR r."fromNewAddress" THEN
    UPDATE api_keys a SET last_used_at = now(), addresses = CASE WHEN v_address = ANY (a.addresses) THEN a.addresses
        ELSE a.addresses[greatest(1, cardinality(a.addresses) - 48):] || v_address END
      WHERE a.id = r."keyId" AND (a.last_used_at IS NULL OR a.last_used_at < now() - interval '1 minute'
        OR NOT v_address = ANY (a.addresses));
    r."fromNewAddress" := r."fromNewAddress" AND FOUND;
  END IF;
  RETURN row_to_json(r);
END $$;
