-- Keeps the stored sums of owners when a file is stored or deleted, or moves to another owner.
CREATE FUNCTION file_stored_elsewhere() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.is_whole THEN
    UPDATE quota_person SET bytes = bytes - OLD.size WHERE user_id = OLD.owner_id;
  END IF;
  IF tg_op = 'UPDATE' AND NEW.is_whole THEN
    UPDATE quota_person SET bytes = bytes + NEW.size WHERE user_id = NEW.owner_id;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER files_deleted AFTER DELETE ON files FOR EACH ROW EXECUTE FUNCTION file_stored_elsewhere();

CREATE TRIGGER files_stored AFTER UPDATE OF owner_id, is_whole ON files FOR EACH ROW
  WHEN (OLD.owner_id IS DISTINCT FROM NEW.owner_id OR OLD.is_whole IS DISTINCT FROM NEW.is_whole)
  EXECUTE FUNCTION file_stored_elsewhere();
