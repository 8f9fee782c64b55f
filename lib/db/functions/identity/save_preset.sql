-- Saves a context under a name: a new one, or with p.replaces a change of one that there is, of which only the parts given
-- change. The lock on the owner's row makes calls for one person serial, so both limits are exact: p.most presets, and
-- p.size characters in all of them. Answers the preset, or what it would be too many of; null for a missing person or preset.
CREATE FUNCTION save_preset(p json) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_owner text := p->>'userId';
  v_used record;
BEGIN
  PERFORM 1 FROM "user" WHERE id = v_owner FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  SELECT count(*)::int AS presets, coalesce(sum(length(content::text)), 0)::int AS size INTO v_used
  FROM context_presets WHERE user_id = v_owner AND id <> p->>'id';
  IF (p->>'replaces')::boolean THEN
    IF NOT EXISTS (SELECT 1 FROM context_presets WHERE user_id = v_owner AND id = p->>'id') THEN RETURN NULL; END IF;
  ELSIF v_used.presets >= (p->>'most')::int THEN
    RETURN json_build_object('limit', 'presets', 'used', v_used.presets);
  END IF;
  IF p->'content' IS NOT NULL AND v_used.size + length((p->'content')::text) > (p->>'size')::int THEN
    RETURN json_build_object('limit', 'size', 'used', v_used.size);
  END IF;
  IF (p->>'replaces')::boolean THEN
    UPDATE context_presets SET name = coalesce(p->>'name', name), content = coalesce(p->'content', content),
      updated_at = clock_timestamp()
    WHERE user_id = v_owner AND id = p->>'id';
  ELSE
    INSERT INTO context_presets (id, user_id, name, content) VALUES (p->>'id', v_owner, p->>'name', p->'content');
  END IF;
  RETURN (SELECT json_build_object('preset', json_build_object('id', id, 'name', name, 'content', content,
      'createdAt', epoch_ms(created_at), 'updatedAt', epoch_ms(updated_at)))
    FROM context_presets WHERE id = p->>'id');
END $$;
