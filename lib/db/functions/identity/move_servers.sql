-- Moves the servers of one user to another: the rows of `tool_servers` or `remotes`. One whose name the new owner has goes by the
-- name and the lowest free number (the most letters of the name that leave room for it).
CREATE FUNCTION move_servers(v_table text, v_from text, v_to text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  s record;
  v_name text;
  v_number int;
  v_taken boolean;
BEGIN
  FOR s IN EXECUTE format('SELECT id, name FROM %I WHERE user_id = $1 ORDER BY created_at, id', v_table) USING v_from LOOP
    v_name := s.name;
    v_number := 1;
    LOOP
      LOOP
        EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I WHERE user_id = $1 AND lower(name) = lower($2))', v_table)
          INTO v_taken USING v_to, v_name;
        EXIT WHEN NOT v_taken;
        v_number := v_number + 1;
        v_name := left(s.name, 31 - length(v_number::text)) || '-' || v_number;
      END LOOP;
      BEGIN
        EXECUTE format('UPDATE %I SET user_id = $1, name = $2 WHERE id = $3', v_table) USING v_to, v_name, s.id;
        EXIT;
      EXCEPTION WHEN unique_violation THEN
        -- the new owner added a server of that name meanwhile: the next look sees it
        NULL;
      END;
    END LOOP;
  END LOOP;
END $$;
