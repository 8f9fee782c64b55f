-- Longer than 400 lines because it is one function: everything in it happens under one lock, in one order.
-- The one write of the store: everything a change does, in one transaction and one round trip.
-- It locks the chat's row first, so writes within a chat are serial and the rest can be simple.
-- `p` is the Change of lib/context/store/change.ts. Refusals: RM404 (not found), RM409 (conflict; DETAIL names which).

-- The lowest free "{base}-v{n}", n >= 2; archived names count as taken. Very long bases are cut, names are limited.
-- One pass over the chat's names: asking for each number in turn costs a look-up per branch.
CREATE FUNCTION free_branch_name(v_chat text, v_base text) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_stem text := CASE WHEN length(v_base) > 180 THEN left(v_base, 180) || '…' ELSE v_base END || '-v';
  v_taken text[] := ARRAY(SELECT substr(b.name, length(v_stem) + 1) FROM branches b
    WHERE b.chat_id = v_chat AND starts_with(b.name, v_stem));
BEGIN
  RETURN v_stem || (SELECT min(n) FROM generate_series(2, cardinality(v_taken) + 2) n
    WHERE n::text NOT IN (SELECT unnest(v_taken)));
END $$;
