-- The cost of the replies recorded in a chat, up to the place of the follower `usage`: the rows of the table `usage` as the log
-- has them. Reads `LLMResponseGenerated` in version 1.
CREATE FUNCTION usage_by_log(v_chat text)
RETURNS TABLE (branch_id text, model text, replies int, input_tokens bigint, cached_tokens bigint, cache_write_tokens bigint,
  output_tokens bigint)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT e.stream_id, coalesce(e.payload ->> 'model', 'unknown'), count(*)::int,
    sum(told_tokens(e.payload #>> '{usage,inputTokens}'))::bigint,
    coalesce(sum(told_tokens(e.payload #>> '{usage,cachedTokens}')), 0)::bigint,
    coalesce(sum(told_tokens(e.payload #>> '{usage,cacheWriteTokens}')), 0)::bigint,
    sum(told_tokens(e.payload #>> '{usage,outputTokens}'))::bigint
  FROM events e JOIN followers f ON f.name = 'usage'
  WHERE e.chat_id = v_chat AND e.type = 'LLMResponseGenerated' AND NOT e.payload ? 'imported'
    AND (e.txid, e.chat_id, e.seq) <= (f.txid, f.at_chat, f.at_seq)
  GROUP BY 1, 2;
END $$;
