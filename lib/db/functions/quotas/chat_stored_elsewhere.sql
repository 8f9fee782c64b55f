-- Keeps the stored sums of owners when a chat is deleted or moves to another owner: adds to those that are known. Inserts the row
-- where there is none, so a concurrent take_quota that works the sum out waits for this transaction, and this one for that.
CREATE FUNCTION chat_stored_elsewhere() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  c record;
BEGIN
  FOR c IN SELECT OLD.user_id AS person, -1 AS sign UNION ALL SELECT NEW.user_id, 1 WHERE tg_op = 'UPDATE' LOOP
    INSERT INTO quota_person AS q (user_id) VALUES (c.person)
    ON CONFLICT (user_id) DO UPDATE SET chats = q.chats + c.sign,
      bytes = CASE WHEN q.bytes IS NOT NULL THEN q.bytes + c.sign * chat_bytes(OLD.id) END;
  END LOOP;
  RETURN NULL;
END $$;

-- triggers run in the order of their names: this one before the foreign keys delete the chat's messages
CREATE TRIGGER "A_chats_deleted" AFTER DELETE ON chats FOR EACH ROW EXECUTE FUNCTION chat_stored_elsewhere();

CREATE TRIGGER "A_chats_moved" AFTER UPDATE OF user_id ON chats FOR EACH ROW
  WHEN (OLD.user_id IS DISTINCT FROM NEW.user_id) EXECUTE FUNCTION chat_stored_elsewhere();
