-- Begins the upload of a file, unless too many imports are open. Answers which bound is met: `person`, or `site`; `gone` where
-- there is no such person; null where there is room, and the row is there. One at a time: the counts are read in a
-- statement after the lock, and so see what the one before has begun.
CREATE FUNCTION begin_import(
  v_id text, v_owner text, v_name text, v_size bigint, v_source text, v_per_person int, v_in_all int
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  n record;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('imports'));
  SELECT count(*) FILTER (WHERE user_id = v_owner) AS own, count(*) AS in_all INTO n FROM imports WHERE ended_at IS NULL;
  IF n.own >= v_per_person THEN
    RETURN 'person';
  ELSIF n.in_all >= v_in_all THEN
    RETURN 'site';
  END IF;
  INSERT INTO imports (id, user_id, name, size, source, status)
  SELECT v_id, u.id, v_name, v_size, v_source, 'uploading' FROM "user" u WHERE u.id = v_owner;
  RETURN CASE WHEN NOT FOUND THEN 'gone' END;
END $$;
