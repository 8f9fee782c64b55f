-- Keeps the stored sums of owners when a chat is deleted or moves to another owner.
CREATE FUNCTION chat_stored_elsewhere() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_stored(OLD.user_id, OLD.id, -1);
  IF tg_op = 'UPDATE' THEN
    PERFORM add_stored(NEW.user_id, NEW.id, 1);
  END IF;
  RETURN NULL;
END $$;

-- triggers run in the order of their names: this one before the foreign keys delete the chat's messages
CREATE TRIGGER "A_chats_deleted" AFTER DELETE ON chats FOR EACH ROW EXECUTE FUNCTION chat_stored_elsewhere();

CREATE TRIGGER "A_chats_moved" AFTER UPDATE OF user_id ON chats FOR EACH ROW
  WHEN (OLD.user_id IS DISTINCT FROM NEW.user_id) EXECUTE FUNCTION chat_stored_elsewhere();
