-- Refuses DELETE of rows whose chat still exists: a whole chat goes in one statement.
CREATE FUNCTION refuse_partial_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM gone g JOIN chats c ON c.id = g.chat_id) THEN
    RAISE EXCEPTION 'DELETE on % is refused: rows leave only with their whole chat', tg_table_name
      USING ERRCODE = 'RM001';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER messages_no_partial_delete AFTER DELETE ON messages
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION refuse_partial_delete();

CREATE TRIGGER lanes_no_partial_delete AFTER DELETE ON lanes
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION refuse_partial_delete();

CREATE TRIGGER contexts_no_partial_delete AFTER DELETE ON contexts
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION refuse_partial_delete();

CREATE TRIGGER events_no_partial_delete AFTER DELETE ON events
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION refuse_partial_delete();
