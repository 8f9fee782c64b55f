-- The lengths of a chat's ids, the number of its tags and the lengths of a branch's name and title, looked at when they are written. As CHECKs they would be read and
-- planned anew by the updates of every turn, which leave them as they are.
CREATE FUNCTION check_limits() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_limit text;
BEGIN
  IF tg_table_name = 'chats' THEN
    v_limit := CASE WHEN length(NEW.id) NOT BETWEEN 1 AND 128 THEN 'id_length'
      WHEN length(NEW.alias) NOT BETWEEN 1 AND 128 THEN 'alias_length'
      WHEN NEW.tags <> '{}' AND (SELECT count(*) FROM jsonb_object_keys(NEW.tags)) > 20 THEN 'tags_number' END;
  ELSE
    v_limit := CASE WHEN length(NEW.name) NOT BETWEEN 1 AND 200 THEN 'name_length'
      WHEN length(NEW.title) NOT BETWEEN 1 AND 200 THEN 'title_length' END;
  END IF;
  IF v_limit IS NOT NULL THEN
    RAISE EXCEPTION 'A limit of % is passed: %', tg_table_name, v_limit
      USING ERRCODE = 'check_violation', CONSTRAINT = tg_table_name || '_' || v_limit;
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER chats_check BEFORE INSERT OR UPDATE OF id, alias, tags ON chats FOR EACH ROW EXECUTE FUNCTION check_limits();

CREATE TRIGGER branches_check BEFORE INSERT OR UPDATE OF name, title ON branches FOR EACH ROW EXECUTE FUNCTION check_limits();
