-- Deletes the files whose last chat is gone. They are locked first, and looked at again after that: of two chats that are
-- deleted at the same time, the later one sees that the other holds them no more.
CREATE FUNCTION forget_files() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM files WHERE id IN (SELECT file_id FROM gone) ORDER BY id FOR UPDATE;
  IF FOUND THEN
    DELETE FROM files f WHERE f.id IN (SELECT file_id FROM gone)
      AND NOT EXISTS (SELECT 1 FROM chat_files h WHERE h.file_id = f.id);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER chat_files_gone AFTER DELETE ON chat_files
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_files();
