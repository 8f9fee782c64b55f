-- What a branch that has an automatic name can be titled by, as FirstMessage (lib/graph/branch-title.ts): the first message
-- recorded in its thread, with the one that it is another version of. Null for a branch without messages of its own.
CREATE FUNCTION first_said(v_chat text, v_branch text) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT json_strip_nulls(json_build_object('role', f.role, 'preview', f.preview, 'original', f.original,
      'place', f.place))
    FROM first_in_thread(v_chat, v_branch) f WHERE f.id IS NOT NULL);
END $$;
