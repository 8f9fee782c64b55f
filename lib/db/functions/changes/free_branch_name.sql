-- The lowest free "{base}-v{n}", n >= 2; archived names count as taken. Very long bases are cut, names are limited.
-- One pass over the chat's names: a look-up per number would cost one per branch.
CREATE FUNCTION free_branch_name(v_chat text, v_base text) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_stem text := CASE WHEN length(v_base) > 180 THEN left(v_base, 180) || '…' ELSE v_base END || '-v';
  v_taken text[] := ARRAY(SELECT substr(b.name, length(v_stem) + 1) FROM branches b
    WHERE b.chat_id = v_chat AND starts_with(b.name, v_stem));
BEGIN
  RETURN v_stem || (SELECT min(n) FROM generate_series(2, cardinality(v_taken) + 2) n
    WHERE n::text NOT IN (SELECT unnest(v_taken)));
END $$;
