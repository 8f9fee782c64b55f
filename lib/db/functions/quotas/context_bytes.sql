-- The stored size of a context.
CREATE FUNCTION context_bytes(v_fragments json, v_setup json) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN octet_length(v_fragments::text) + coalesce(octet_length(v_setup::text), 0);
END $$;
