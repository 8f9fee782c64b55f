-- Applies changes of one chat one after the other, as commit_change, in one transaction: they wait for the disk once. A change
-- that is refused writes nothing, and those after it go on. The parameters have character 29 between their entries, which JSON
-- never holds unescaped; an empty quota counts nothing. Answers an entry for each change: `done`, or `refused` with the error.
CREATE FUNCTION commit_changes(v_changes text, v_quotas text, v_bodies text) RETURNS json LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_change text[] := string_to_array(v_changes, chr(29));
  v_quota text[] := string_to_array(v_quotas, chr(29));
  v_body text[] := string_to_array(v_bodies, chr(29));
  v_answers json[] := '{}';
  v_done json;
  v_code text;
  v_message text;
  v_detail text;
  v_constraint text;
BEGIN
  FOR i IN 1..cardinality(v_change) LOOP
    BEGIN
      v_done := commit_change(v_change[i]::json, NULLIF(v_quota[i], '')::json, v_body[i]);
      v_answers := v_answers || json_build_object('done', v_done);
    EXCEPTION WHEN OTHERS THEN
      GET STACKED DIAGNOSTICS v_code = RETURNED_SQLSTATE, v_message = MESSAGE_TEXT, v_detail = PG_EXCEPTION_DETAIL,
        v_constraint = CONSTRAINT_NAME;
      v_answers := v_answers || json_build_object('refused', json_build_object('code', v_code, 'message', v_message,
        'detail', NULLIF(v_detail, ''), 'constraint', NULLIF(v_constraint, '')));
    END;
  END LOOP;
  RETURN array_to_json(v_answers);
END $$;
