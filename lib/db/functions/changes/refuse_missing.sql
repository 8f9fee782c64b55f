-- Refuses a change: it names something that is not there. The caller's RM404 says what, in DETAIL.
CREATE FUNCTION refuse_missing(v_what text, v_name text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% "%" not found', v_what, v_name USING ERRCODE = 'RM404', DETAIL = lower(v_what);
END $$;
