-- Adds a summary to its owner's stored sum, if that is known. It is part of a reply, or of a file, and so is never refused.
CREATE FUNCTION summary_stored() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_owner text := (SELECT user_id FROM chats WHERE id = NEW.chat_id FOR SHARE);
BEGIN
  UPDATE quota_person SET bytes = bytes + octet_length(NEW.text) WHERE user_id = v_owner;
  RETURN NULL;
END $$;

-- before the foreign keys: chat, person, message are locked in this order, as by the deletion of a chat
CREATE TRIGGER "A_summaries_stored" AFTER INSERT ON summaries FOR EACH ROW EXECUTE FUNCTION summary_stored();
