-- The lengths of a chat's ids, the number of its tags and the lengths of a branch's name and title, looked at when they are written. As CHECKs they would be read and
-- planned anew by the updates of every turn, which leave them as they are.
CREATE FUNCTION check_limits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF tg_table_name = 'chats' THEN
    IF length(NEW.id) NOT BETWEEN 1 AND 128 THEN
      PERFORM refuse_value('chats', 'chats_id_length');
    ELSIF length(NEW.alias) NOT BETWEEN 1 AND 128 THEN
      PERFORM refuse_value('chats', 'chats_alias_length');
    ELSIF NEW.tags <> '{}' AND (SELECT count(*) FROM jsonb_object_keys(NEW.tags)) > 20 THEN
      PERFORM refuse_value('chats', 'chats_tags_number');
    END IF;
  ELSIF length(NEW.name) NOT BETWEEN 1 AND 200 THEN
    PERFORM refuse_value('branches', 'branches_name_length');
  ELSIF length(NEW.title) NOT BETWEEN 1 AND 200 THEN
    PERFORM refuse_value('branches', 'branches_title_length');
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER chats_check BEFORE INSERT OR UPDATE OF id, alias, tags ON chats FOR EACH ROW EXECUTE FUNCTION check_limits();

CREATE TRIGGER branches_check BEFORE INSERT OR UPDATE OF name, title ON branches FOR EACH ROW EXECUTE FUNCTION check_limits();
