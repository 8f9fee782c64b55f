-- Moves the tool servers of one user to another. One whose name the new owner has goes by the name and the lowest free number
-- (the most letters of the name that leave room for it).
CREATE FUNCTION move_tool_servers(v_from text, v_to text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  s record;
  v_name text;
  v_number int;
BEGIN
  FOR s IN SELECT id, name FROM tool_servers WHERE user_id = v_from ORDER BY created_at, id LOOP
    v_name := s.name;
    v_number := 1;
    LOOP
      WHILE EXISTS (SELECT 1 FROM tool_servers WHERE user_id = v_to AND lower(name) = lower(v_name)) LOOP
        v_number := v_number + 1;
        v_name := left(s.name, 31 - length(v_number::text)) || '-' || v_number;
      END LOOP;
      BEGIN
        UPDATE tool_servers SET user_id = v_to, name = v_name WHERE id = s.id;
        EXIT;
      EXCEPTION WHEN unique_violation THEN
        -- the new owner added a server of that name meanwhile: the next look sees it
        NULL;
      END;
    END LOOP;
  END LOOP;
END $$;
