-- Refuses UPDATE and TRUNCATE of rows that are written once, and DELETE of those whose chat still exists: a whole chat goes in one
-- statement.
-- The first version had a function of its own for DELETE, which no record names: it goes here, with its triggers.
DROP FUNCTION IF EXISTS refuse_partial_delete CASCADE;

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF tg_op <> 'DELETE' THEN
    RAISE EXCEPTION '% on % is refused: its rows are immutable', tg_op, tg_table_name USING ERRCODE = 'RM001';
  ELSIF EXISTS (SELECT 1 FROM gone g JOIN chats c ON c.id = g.chat_id) THEN
    RAISE EXCEPTION 'DELETE on % is refused: rows leave only with their whole chat', tg_table_name USING ERRCODE = 'RM001';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER messages_no_change BEFORE UPDATE OR TRUNCATE ON messages
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER lanes_no_change BEFORE UPDATE OR TRUNCATE ON lanes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER contexts_no_change BEFORE UPDATE OR TRUNCATE ON contexts
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER events_no_change BEFORE UPDATE OR TRUNCATE ON events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER messages_no_partial_delete AFTER DELETE ON messages
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER lanes_no_partial_delete AFTER DELETE ON lanes
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER contexts_no_partial_delete AFTER DELETE ON contexts
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER events_no_partial_delete AFTER DELETE ON events
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
