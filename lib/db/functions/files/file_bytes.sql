-- The stored size of a person's files.
CREATE FUNCTION file_bytes(v_person text) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT coalesce(sum(size), 0) FROM files WHERE owner_id = v_person AND is_whole);
END $$;
