-- The text by which a stored message is found: its text parts, and the names of its tools, files and sources, in the order
-- of its parts. The same rule in TypeScript: `searchText`.
CREATE FUNCTION search_text(data json) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF json_typeof(data) IS DISTINCT FROM 'object' OR json_typeof(data -> 'parts') IS DISTINCT FROM 'array' THEN
    RETURN message_text(data);
  END IF;
  RETURN (
    SELECT string_agg(
      CASE
        WHEN p.type = 'text' THEN p.part ->> 'text'
        WHEN p.type = 'dynamic-tool' THEN p.part ->> 'toolName'
        WHEN p.type IN ('file', 'reasoning-file') THEN p.part ->> 'filename'
        WHEN p.type IN ('source-url', 'source-document') THEN p.part ->> 'title'
        WHEN p.type LIKE 'tool-%' THEN substr(p.type, 6)
      END, E'\n')
    FROM (SELECT part, part ->> 'type' AS type FROM json_array_elements(data -> 'parts') part) p);
END $$;
