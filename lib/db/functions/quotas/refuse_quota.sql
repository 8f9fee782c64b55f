-- Refuses a write whose limit `v_name` is reached, with `v_used` before it.
CREATE FUNCTION refuse_quota(v_limits jsonb, v_name text, v_used bigint, v_person text, v_until timestamptz)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'The limit "%" is reached', v_name USING ERRCODE = 'RM429', DETAIL = json_build_object(
    'limit', v_name, 'allowed', (v_limits ->> v_name)::bigint, 'used', v_used, 'person', v_person,
    'retryAfter', ceil(extract(epoch FROM v_until - clock_timestamp())))::text;
END $$;
