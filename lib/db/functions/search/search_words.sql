-- The words of a text as search keeps them. A word found once stands without its place, which ranks the same (ts_rank counts
-- places, and a word without any as one) and takes a quarter less room; of one found often the places only count. A vector that
-- is longer than a megabyte is refused: of a text without end its beginning is kept.
CREATE FUNCTION search_words(v_text text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  -- written out: it is called for every message
  v_places text[] := '{1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,
    33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,
    62,63,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,
    91,92,93,94,95,96,97,98,99,100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,
    116,117,118,119,120,121,122,123,124,125,126,127,128,129,130,131,132,133,134,135,136,137,138,
    139,140,141,142,143,144,145,146,147,148,149,150,151,152,153,154,155,156,157,158,159,160,161,
    162,163,164,165,166,167,168,169,170,171,172,173,174,175,176,177,178,179,180,181,182,183,184,
    185,186,187,188,189,190,191,192,193,194,195,196,197,198,199,200,201,202,203,204,205,206,207,
    208,209,210,211,212,213,214,215,216,217,218,219,220,221,222,223,224,225,226,227,228,229,230,
    231,232,233,234,235,236,237,238,239,240,241,242,243,244,245,246,247,248,249,250,251,252,253,
    254,255}';
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
