-- Refuses a value as a CHECK of that name would.
CREATE FUNCTION refuse_value(v_table text, v_limit text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'new row for relation "%" violates check constraint "%"', v_table, v_limit
    USING ERRCODE = 'check_violation', TABLE = v_table, CONSTRAINT = v_limit;
END $$;
