-- The words of a text as search keeps them. A word found once stands without its place, which ranks the same (ts_rank counts
-- places, and a word without any as one) and takes a quarter less room.
CREATE FUNCTION search_words(v_text text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  v_words tsvector := to_tsvector('simple', v_text);
  v_once text[];
  v_often text[];
BEGIN
  SELECT array_agg(lexeme) FILTER (WHERE positions[2] IS NULL), array_agg(lexeme) FILTER (WHERE positions[2] IS NOT NULL)
  INTO v_once, v_often FROM unnest(v_words);
  RETURN strip(ts_delete(v_words, coalesce(v_often, '{}'))) || ts_delete(v_words, coalesce(v_once, '{}'));
END $$;
