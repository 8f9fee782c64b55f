-- The tokens of a reply that a stored event tells, as they are summed: whole, from 0 to ten million; 0 for what is no count. As
-- `toldTokens` of `lib/context`.
CREATE FUNCTION told_tokens(v_told text) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN v_told::numeric >= 0 THEN least(round(v_told::numeric), 10000000)::bigint ELSE 0 END
$$;
