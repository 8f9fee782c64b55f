-- The words of a text as search keeps them. A word found once stands without its place, which ranks the same (ts_rank counts
-- places, and a word without any as one) and takes a quarter less room; of one found often the places only count. A vector that
-- is longer than a megabyte is refused: of a text without end its beginning is kept.
CREATE FUNCTION search_words(v_text text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  v_places text[] := (SELECT array_agg(n::text) FROM generate_series(1, 255) n);
BEGIN
  RETURN (
    SELECT coalesce(string_agg('''' || replace(replace(k.word, '\', '\\'), '''', '''''') || '''' ||
      CASE WHEN k.often > 1 THEN ':' || array_to_string(v_places[1:k.often], ',') ELSE '' END, ' '), '')::tsvector
    FROM (
      SELECT w.word, least(w.often, 255)::int AS often,
        sum(octet_length(w.word) + CASE WHEN w.often > 1 THEN 3 + 2 * least(w.often, 255) ELSE 0 END) OVER (ORDER BY w.first, w.word) AS bytes
      FROM (SELECT p.word, count(*) AS often, min(p.place) AS first FROM search_pieces(v_text) p GROUP BY p.word) w) k
    WHERE k.bytes < 1000000);
END $$;
