-- Refuses UPDATE and TRUNCATE of rows that are written once.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% on % is refused: its rows are immutable', tg_op, tg_table_name USING ERRCODE = 'RM001';
END $$;

CREATE TRIGGER messages_no_change BEFORE UPDATE OR TRUNCATE ON messages
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER lanes_no_change BEFORE UPDATE OR TRUNCATE ON lanes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER contexts_no_change BEFORE UPDATE OR TRUNCATE ON contexts
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER events_no_change BEFORE UPDATE OR TRUNCATE ON events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
