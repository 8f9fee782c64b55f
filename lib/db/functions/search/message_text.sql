-- The text of a stored message: the text parts of a UI message, or a plain string.
-- In plpgsql because it keeps its plan; the same in SQL is planned for every insert.
CREATE FUNCTION message_text(data json) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN CASE
    WHEN json_typeof(data) = 'string' THEN data #>> '{}'
    WHEN json_typeof(data -> 'parts') = 'array' THEN
      (SELECT string_agg(p ->> 'text', E'\n') FROM json_array_elements(data -> 'parts') p WHERE p ->> 'type' = 'text')
    ELSE data ->> 'content'
  END;
END $$;
