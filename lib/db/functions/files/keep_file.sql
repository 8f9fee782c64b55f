-- Ends the upload of a file whose bytes are stored: answers the id it has from now on. The same content again is the file
-- that is there: the new one goes, and the other counts as uploaded now. The lock on the person makes concurrent uploads
-- serial. `q` is what stored bytes are counted against (address, limits by name), null counts nothing; a limit that is passed
-- refuses (RM429). Null when the file is not there.
CREATE FUNCTION keep_file(v_file text, q json) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  f files%rowtype;
  u record;
  v_same text;
  v_stored bigint;
  v_day date := (clock_timestamp() AT TIME ZONE 'UTC')::date;
BEGIN
  SELECT * INTO f FROM files WHERE id = v_file AND NOT is_whole;
  IF NOT FOUND THEN RETURN NULL; END IF;
  INSERT INTO quota_person (user_id) VALUES (f.owner_id) ON CONFLICT (user_id) DO NOTHING;
  PERFORM 1 FROM quota_person WHERE user_id = f.owner_id FOR UPDATE;
  UPDATE files SET uploaded_at = now() WHERE id = (SELECT id FROM files
    WHERE owner_id = f.owner_id AND sha256 = f.sha256 AND is_whole ORDER BY created_at, id LIMIT 1) RETURNING id INTO v_same;
  IF FOUND THEN
    DELETE FROM files WHERE id = v_file;
    RETURN v_same;
  END IF;
  UPDATE files SET is_whole = true WHERE id = v_file;
  IF q IS NULL THEN RETURN v_file; END IF;

  SELECT * INTO u FROM json_to_record(q) AS x(address text, limits jsonb);
  PERFORM count_stored(f.owner_id);
  SELECT bytes INTO v_stored FROM quota_person WHERE user_id = f.owner_id;
  IF v_stored > (u.limits ->> 'bytes')::bigint THEN
    PERFORM refuse_quota(u.limits, 'bytes', v_stored - f.size, f.owner_id, null);
  END IF;
  IF u.address IS NOT NULL THEN
    -- the row, then the lock, as in take_quota
    INSERT INTO quota_use (scope, key, day, stripe, bytes)
    VALUES ('address', u.address, v_day, hashtext(f.owner_id) & 7, f.size)
    ON CONFLICT (scope, key, day, stripe) DO UPDATE SET bytes = quota_use.bytes + excluded.bytes;
    PERFORM pg_advisory_xact_lock(727276, hashtext(u.address));
    SELECT sum(bytes) INTO v_stored FROM quota_use WHERE scope = 'address' AND key = u.address AND day = v_day;
    IF v_stored > (u.limits ->> 'address_bytes')::bigint THEN
      PERFORM refuse_quota(u.limits, 'address_bytes', v_stored - f.size, f.owner_id,
        (v_day + 1)::timestamp AT TIME ZONE 'UTC');
    END IF;
  END IF;
  RETURN v_file;
END $$;
