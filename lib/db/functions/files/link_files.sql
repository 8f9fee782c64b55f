-- Notes that a chat holds files: those of its owner. A file that is not there, or not the owner's, refuses the change. Locks
-- the person before the files, as a deleted chat does, so that the two never wait for each other.
CREATE FUNCTION link_files(v_chat text, v_owner text, v_files json) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_missing text;
BEGIN
  INSERT INTO quota_person (user_id) VALUES (v_owner) ON CONFLICT (user_id) DO NOTHING;
  PERFORM 1 FROM quota_person WHERE user_id = v_owner FOR UPDATE;
  SELECT x INTO v_missing FROM json_array_elements_text(v_files) AS x
  WHERE NOT EXISTS (SELECT 1 FROM files f WHERE f.id = x AND f.owner_id = v_owner AND f.is_whole) LIMIT 1;
  IF FOUND THEN
    PERFORM refuse_missing('File', v_missing);
  END IF;
  INSERT INTO chat_files (chat_id, file_id) SELECT DISTINCT v_chat, x FROM json_array_elements_text(v_files) AS x
  ON CONFLICT (chat_id, file_id) DO NOTHING;
END $$;
