-- Returns as many free "{base}-v{n}", n >= 2, each as `freeBranchName` of lib/events/branch-name.ts finds it once those before it are taken:
-- the lowest up to 32, beyond that ones that follow a name that is taken. Archived names count as taken. Very long bases are cut,
-- names are limited.
-- Each name is one look at its key: a chat may have thousands, and its other writes wait meanwhile.
CREATE FUNCTION free_branch_names(v_chat text, v_base text, v_count int) RETURNS text[] LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_stem text := CASE WHEN length(v_base) > 180 THEN left(v_base, 180) || '…' ELSE v_base END || '-v';
  v_taken int := 32;
  v_free int;
  v_names text[] := ARRAY(SELECT v_stem || n FROM generate_series(2, v_taken) n
    -- not with EXISTS: Postgres would hash the names of all branches
    WHERE (SELECT b.id FROM branches b WHERE b.chat_id = v_chat AND b.name = v_stem || n) IS NULL ORDER BY n LIMIT v_count);
BEGIN
  IF cardinality(v_names) = v_count THEN
    RETURN v_names;
  END IF;
  v_free := 2 * v_taken;
  WHILE EXISTS (SELECT 1 FROM branches b WHERE b.chat_id = v_chat AND b.name = v_stem || v_free) LOOP
    v_taken := v_free;
    v_free := 2 * v_taken;
  END LOOP;
  WHILE v_free - v_taken > 1 LOOP
    IF EXISTS (SELECT 1 FROM branches b WHERE b.chat_id = v_chat AND b.name = v_stem || (v_taken + v_free) / 2) THEN
      v_taken := (v_taken + v_free) / 2;
    ELSE
      v_free := (v_taken + v_free) / 2;
    END IF;
  END LOOP;
  WHILE cardinality(v_names) < v_count LOOP
    IF NOT EXISTS (SELECT 1 FROM branches b WHERE b.chat_id = v_chat AND b.name = v_stem || v_free) THEN
      v_names := v_names || (v_stem || v_free);
    END IF;
    v_free := v_free + 1;
  END LOOP;
  RETURN v_names;
END $$;
