-- Keeps the stored sums of owners, if they are known, when a chat or file is deleted or moves to another owner, when a file is
-- stored, and when a summary is: it is part of a reply, or of a file, and so is never refused. For a chat the row is inserted where
-- there is none, so a concurrent take_quota that works the sum out waits for this transaction, and this one for that.
CREATE FUNCTION stored_elsewhere() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  o record;
BEGIN
  IF tg_table_name = 'chats' THEN
    FOR o IN SELECT OLD.user_id AS person, -1 AS sign UNION ALL SELECT NEW.user_id, 1 WHERE tg_op = 'UPDATE' LOOP
      INSERT INTO quota_person AS q (user_id) VALUES (o.person)
      ON CONFLICT (user_id) DO UPDATE SET chats = q.chats + o.sign,
        bytes = CASE WHEN q.bytes IS NOT NULL THEN q.bytes + o.sign * chat_bytes(OLD.id) END;
    END LOOP;
  ELSIF tg_table_name = 'files' THEN
    IF OLD.is_whole THEN
      UPDATE quota_person SET bytes = bytes - OLD.size WHERE user_id = OLD.owner_id;
    END IF;
    IF tg_op = 'UPDATE' AND NEW.is_whole THEN
      UPDATE quota_person SET bytes = bytes + NEW.size WHERE user_id = NEW.owner_id;
    END IF;
  ELSE
    UPDATE quota_person SET bytes = bytes + octet_length(NEW.text)
    WHERE user_id = (SELECT user_id FROM chats WHERE id = NEW.chat_id FOR SHARE);
  END IF;
  RETURN NULL;
END $$;

-- triggers run in the order of their names: these before the foreign keys delete the chat's messages, and so that chat, person
-- and message are locked in this order
CREATE TRIGGER "A_chats_deleted" AFTER DELETE ON chats FOR EACH ROW EXECUTE FUNCTION stored_elsewhere();

CREATE TRIGGER "A_chats_moved" AFTER UPDATE OF user_id ON chats FOR EACH ROW
  WHEN (OLD.user_id IS DISTINCT FROM NEW.user_id) EXECUTE FUNCTION stored_elsewhere();

CREATE TRIGGER "A_summaries_stored" AFTER INSERT ON summaries FOR EACH ROW EXECUTE FUNCTION stored_elsewhere();

CREATE TRIGGER files_deleted AFTER DELETE ON files FOR EACH ROW EXECUTE FUNCTION stored_elsewhere();

CREATE TRIGGER files_stored AFTER UPDATE OF owner_id, is_whole ON files FOR EACH ROW
  WHEN (OLD.owner_id IS DISTINCT FROM NEW.owner_id OR OLD.is_whole IS DISTINCT FROM NEW.is_whole)
  EXECUTE FUNCTION stored_elsewhere();
