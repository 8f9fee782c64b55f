-- The words with which something searched for can begin, in the order of the text: each piece of it (a word, a part of a name or
-- a path, a letter of a script that is written without spaces), with the next two that are joined to it. The same rule in
-- TypeScript: `piecesOf` and `wordAt`.
CREATE FUNCTION search_pieces(v_text text) RETURNS TABLE (place bigint, word text, pieces int, joined boolean)
  LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  v_ascii text := '\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007f';
  v_signs text := '\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7\u037e\u0387\u055a-\u055f\u0589\u058a\u05be\u05c0\u05c3\u05c6\u05f3\u05f4\u0600-\u060f\u061b-\u061f\u066a-\u066d\u06d4\u0964\u0965\u0e2f\u0e3f\u0e4f\u0e5a\u0e5b\u104a-\u104f\u1680\u17d4-\u17db\u2000-\u206f\u20a0-\u20cf\u2190-\u2bff\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u3030\u303d\u30a0\u30fb\ue000-\uf8ff\ufe10-\ufe6f\uffe0-\uffff\U0001f000-\U0001faff';
  v_letters text;
BEGIN
  -- U+0002 stands where two pieces meet without a sign, U+0001 on both sides of what joins two pieces
  v_letters := translate(v_text, E'\u0001\u0002', '  ');
  v_letters := regexp_replace(v_letters, '([a-z0-9ß-öø-ÿ])([A-ZÀ-ÖØ-Þ])', E'\\1\u0002\\2', 'g');
  v_letters := regexp_replace(v_letters, '([A-ZÀ-ÖØ-Þ])([A-ZÀ-ÖØ-Þ][a-z])', E'\\1\u0002\\2', 'g');
  v_letters := search_letters(v_letters);
  IF octet_length(v_letters) = length(v_letters) THEN
    v_signs := v_ascii;
  END IF;
  v_letters := regexp_replace(v_letters, '[' || v_signs || ']*\s[' || v_signs || ']*|[' || v_signs || ']{4,}', ' ', 'g');
  IF v_signs <> v_ascii THEN
    v_letters := regexp_replace(v_letters, '([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u3096\u3099-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3131-\u318e\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff])',
      E'\u0002\\1\u0002', 'g');
  END IF;
  v_letters := regexp_replace(v_letters, '((?! )[' || v_signs || '])+', E'\u0001\\&\u0001', 'g');
  v_letters := replace(v_letters, E'\u0002', '');
  RETURN QUERY
  SELECT (c.nth << 20) + 1, left(c.compound, 100), 1, false
  FROM string_to_table(v_letters, ' ') WITH ORDINALITY c(compound, nth)
  WHERE c.compound <> '' AND strpos(c.compound, E'\u0001') = 0
  UNION ALL
  SELECT (c.nth << 20) + l.at,
    left(l.piece, 100) || CASE WHEN l.second <> '' THEN l.joint || left(l.second, 100) ||
      CASE WHEN l.third <> '' THEN l.second_joint || left(l.third, 100) ELSE '' END ELSE '' END,
    CASE WHEN l.second <> '' THEN CASE WHEN l.third <> '' THEN 3 ELSE 2 END ELSE 1 END, l.before <> ''
  FROM (SELECT t.nth, string_to_array(t.compound, E'\u0001') AS parts FROM string_to_table(v_letters, ' ') WITH ORDINALITY t(compound, nth)
    WHERE strpos(t.compound, E'\u0001') > 0 OFFSET 0) c
  -- pieces and what joins them, in turn, beside those that follow and the piece before: without a sort
  CROSS JOIN LATERAL unnest(c.parts, c.parts[2:], c.parts[3:], c.parts[4:], c.parts[5:], ARRAY['', ''] || c.parts)
    WITH ORDINALITY l(piece, joint, second, second_joint, third, before, at)
  WHERE l.at % 2 = 1 AND l.piece <> '';
END $$;
