-- A text as it is compared: without case, marks on letters, and widths of letters. The same rule in TypeScript: `plainLetters`.
CREATE FUNCTION search_letters(v_text text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF octet_length(v_text) = length(v_text) THEN
    RETURN lower(v_text);
  END IF;
  RETURN normalize(replace(replace(replace(replace(translate(lower(regexp_replace(normalize(v_text, NFKD),
    '[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]', '', 'g')),
    'øłđðħŧıςٱ', 'olddhtiσا'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), NFC);
END $$;
