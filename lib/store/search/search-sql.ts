import { publicId } from '../reads/rows'

/** Words of a search that are looked for: the cost of ranking grows with each. */
const MOST_WORDS = 12

/**
 * The words of the text `$n`, in order, each with its place; text after the first thousand letters is left
 * out. The same rule in TypeScript: `wordsAsked`.
 */
const lexemesOf = (text: string): string =>
  `(select p.word as lexeme, min(p.place) as place from search_pieces(left(${text}, 1000)) p
  where not p.joined or p.pieces = 3 group by p.word order by min(p.place), p.word limit ${MOST_WORDS})`

const quoted = `'''' || replace(replace(lexeme, '\\', '\\\\'), '''', '''''') || ''':*'`

/**
 * The query of a text: `wanted`, a `tsquery` that requires all of its words, each as a word or the beginning
 * of one; `any`, the same that requires one of them; and the words. All null for a text without a word.
 * Operators and wildcards are punctuation, and punctuation is no word.
 */
export const wordsOf = (text: string): string => `
  select string_agg(${quoted}, ' & ')::tsquery as wanted, string_agg(${quoted}, ' | ')::tsquery as any,
    json_agg(lexeme order by place) as lexemes
  from ${lexemesOf(text)} l`

/**
 * True when a message was logged after `indexed`, the last event that search has seen (null = none). Looks at the last
 * message's event alone: an `exists` is planned as a scan of the whole log.
 */
export const hasNews = (chat: string, indexed: string): string =>
  `coalesce((select e.seq from events e where e.chat_id = ${chat} and e.message_id is not null
    order by e.seq desc limit 1) > coalesce(${indexed}, 0), false)`

/**
 * Prepares a search: its words, null when there is none (then nothing else is looked up); whether the chat
 * asked for is the owner's; the chats that the search lags behind, the latest used first, up to `$4` events
 * in their logs, and whether others are left. `last_seq` tells most chats that lag without a look at their
 * log.
 *
 * $1 owner, $2 the text searched for, $3 only this chat (null = all), $4 maximum number of events, at least
 * one chat
 */
export const prepareSql = `with words as materialized (${wordsOf('$2')}),
lagging as materialized (
  select c.id, sum(c.last_seq - coalesce(p.seq, 0)) over (order by c.updated_at desc, c.id) as events_so_far,
    c.last_seq - coalesce(p.seq, 0) as events
  from chats c left join search_progress p on p.chat_id = c.id
  where c.user_id = $1 and ($3::text is null or c.id = $3) and c.last_seq > coalesce(p.seq, 0)
    and (select wanted from words) is not null
    and ${hasNews('c.id', 'p.seq')}
)
select wanted::text as wanted, "any"::text as "any", lexemes,
  $3::text is null or exists (select 1 from chats where id = $3 and user_id = $1) as known,
  exists (select 1 from lagging where events_so_far - events >= $4) as partial,
  (select coalesce(json_agg(id order by events_so_far, id), '[]') from lagging where events_so_far - events < $4)
    as lagging
from words`

/** Matches that are ranked at most; to rank every message with an `a` in it would take seconds, and say nothing. */
const MOST_RANKED = 10_000
/**
 * Maximum bytes of stored words to rank, shared among the search words: each is looked up in all of them.
 * Further matches come last.
 */
const BYTES_RANKED = 256_000_000
/**
 * An owner's messages with some words, best first, each with the branch to read it on. When there are very
 * many matches, only those in the chats used latest are ranked. Asks for one row more than wanted.
 *
 * A message ranks by the number of its matches. Ranking by their distance would cost the square of that
 * number, and the snippet shows it. All messages of the person are read, chat by chat, and none of other
 * people's.
 *
 * Messages of nothing but an agent's added context are found only when their role is asked for.
 *
 * $1 owner, $2 all words, $3 only this chat (null = all), $4 roles (null = all), $5 maximum number, $6 number
 * to skip, $7 any word
 */
export const searchSql = `
select r.chat_id as chat, ${publicId('c')} as "chatId", r.lane, r.depth, c.title as "chatTitle",
  c.archived_at is not null as "chatArchived", r.id as "messageId", r.name as role,
  epoch_ms(r.created_at) as "createdAt",
  branch_holding(r.chat_id, r.lane, r.depth) as branch, r.rank
from (
  select m.chat_id, m.lane, m.depth, m.id, m.name, m.created_at,
    case when f.bytes_so_far - pg_column_size(f.words) < ${BYTES_RANKED} / numnode($7::tsquery)
      then ts_rank(f.words, $7::tsquery)::float8 else 0 end as rank
  from (
    select s.chat_id, s.lane, s.depth, s.words, sum(pg_column_size(s.words)) over (order by s.place) as bytes_so_far
    from (
      select s.chat_id, s.lane, s.depth, s.words,
        row_number() over (order by c.updated_at desc, c.id, s.lane desc, s.depth desc) as place
      from chats c cross join lateral (select * from message_search s
        where s.chat_id = c.id and s.words @@ $2::tsquery offset 0) s
      where c.user_id = $1 and ($3::text is null or c.id = $3)
        and ($4::text[] is null or exists (select 1 from messages m
          where m.chat_id = s.chat_id and m.lane = s.lane and m.depth = s.depth and m.name = any ($4)))
      order by place limit ${MOST_RANKED}) s) f
  join messages m on m.chat_id = f.chat_id and m.lane = f.lane and m.depth = f.depth
    and ($4::text[] is not null or m.holds is null or m.holds not like '%context%')
  order by rank desc, m.created_at desc, m.chat_id, m.lane, m.depth limit $5::int + 1 offset $6::int) r
join chats c on c.id = r.chat_id
order by r.rank desc, r.created_at desc, r.chat_id, r.lane, r.depth`

/** Letters of a message that are searched, letters to cut its snippet from, and letters before a match. */
export const LETTERS = 100_000
export const WINDOW = 2000
export const BEFORE = 300

/** Distance between the beginnings of the overlapping windows of a long text. */
const STEP = WINDOW - BEFORE

/** Place a little before a word's first match in a text `t`, or null. `place` finds it in the letters `l` of a window. */
const placeOf = (place: string): string => `(
    select 1 + w.n * ${STEP} + greatest(0, ${place} - 1 - ${BEFORE})
    from generate_series(0, (length(t.text) - 1) / ${STEP}) w(n)
    cross join lateral (select search_letters(substr(t.text, 1 + w.n * ${STEP}, ${WINDOW})) as l offset 0) l
    where ${place} > 0 order by w.n limit 1)`

/**
 * The piece of each message's text from which a snippet is cut: at the first match of a word, else of its
 * letters, else at the beginning. The text is searched window by window, while `ts_headline` takes the square
 * of its length; and not to its end, as by `regexp_instr`.
 *
 * $1 messages: `[{chat, lane, depth}]`, $2 the word as the beginning of one (a regular expression), $3 its letters
 */
export const windowsSql = `
select substr(t.text, t.at, ${WINDOW}) as piece, t.at > 1 as cut
from rows from (json_to_recordset($1::json) as (chat text, lane int, depth int)) with ordinality
  as h(chat, lane, depth, place)
join lateral (
  select t.text, case when length(t.text) <= ${WINDOW} then 1
    else coalesce(${placeOf('strpos(l.l, substring(l.l from $2))')}, ${placeOf('strpos(l.l, $3)')}, 1) end as at
  from (select left(coalesce(search_text(m.data), ''), ${LETTERS}) as text from messages m
    where m.chat_id = h.chat and m.lane = h.lane and m.depth = h.depth offset 0) t offset 0
) t on true
order by h.place`
