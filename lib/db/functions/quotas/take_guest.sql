-- Counts another guest of an address; false when its limit for the day is reached.
CREATE FUNCTION take_guest(v_address text, v_allowed bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF v_allowed < 1 THEN
    RETURN false;
  END IF;
  INSERT INTO quota_use (scope, key, day, guests)
  VALUES ('address', v_address, (clock_timestamp() AT TIME ZONE 'UTC')::date, 1)
  ON CONFLICT (scope, key, day, stripe) DO UPDATE SET guests = quota_use.guests + 1 WHERE quota_use.guests < v_allowed;
  RETURN FOUND;
END $$;
