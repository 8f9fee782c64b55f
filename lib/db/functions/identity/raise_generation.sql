-- Raises the generation of an account with each change of a credential: its address, its password, another way in, a passkey.
-- The link of a letter names the generation it was made for: no link from before such a change works after it.
CREATE FUNCTION raise_generation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF tg_table_name = 'user' THEN
    NEW.generation := OLD.generation + 1;
    RETURN NEW;
  END IF;
  UPDATE "user" SET generation = generation + 1 WHERE id = CASE WHEN tg_op = 'DELETE' THEN OLD.user_id ELSE NEW.user_id END;
  RETURN NULL;
END $$;

CREATE TRIGGER user_generation BEFORE UPDATE OF email ON "user" FOR EACH ROW
WHEN (NEW.email IS DISTINCT FROM OLD.email) EXECUTE FUNCTION raise_generation();

CREATE TRIGGER account_generation AFTER INSERT OR DELETE OR UPDATE OF password ON account FOR EACH ROW EXECUTE FUNCTION raise_generation();

CREATE TRIGGER passkey_generation AFTER INSERT OR DELETE ON passkey FOR EACH ROW EXECUTE FUNCTION raise_generation();
