import { expect, it } from 'vitest'
import { piecesOf, wordAt, wordsAsked } from '@/lib/events/search-letters'
import { onEachDatabase, openedStore } from '@/testing/worlds/open-stores'

// The database indexes, and the snippet marks: both have the same words.

const letters = [
  ...'abZÀßøŁıİςþæﬁ½… \t-_./:@#,()%😀',
  ...'里斯本ガｶﾞﾞゔ、。々〇한각กิ์ัำမြន្ត',
  ...[
    'e\u0301',
    'مُ',
    'ـ',
    'שׁ',
    '\u3000',
    '\u00a0',
    '\u200d',
    '𠀀',
    'Ａ',
    '－',
    'aB',
    'HTMLPage',
    '://',
    '----',
    '\n',
  ],
]
/** The same texts at each run. */
const mixed = Array.from({ length: 300 }, (_, nth) =>
  Array.from({ length: 12 }, (_, at) => letters[(nth * 31 + at * at * 7 + nth * at) % letters.length]).join(
    '',
  ),
)

onEachDatabase('the words of search', ({ open }) => {
  const opened = openedStore(open)

  it('given texts of all kinds of letters, then the database and the page read the same words in them', async () => {
    for (const text of [...letters, ...mixed]) {
      const rows = await opened.database.query<{ word: string }>(
        'select word from search_pieces($1) order by place',
        [text],
      )
      const pieces = piecesOf(text)
      expect(
        rows.map(({ word }) => word),
        JSON.stringify(text),
      ).toEqual(pieces.map((_, at) => wordAt(pieces, at).word))
    }
  })

  it('given a query, then the database and the page ask for the same words', async () => {
    for (const text of [
      'src/lib/foo.ts',
      '我们去里斯本',
      'naïve  Łódź',
      'c%m',
      'ada@example.org 1.2.3',
      '%',
    ]) {
      const rows = await opened.database.query<{ word: string }>(
        'select word from search_pieces($1) p where not joined or pieces = 3 order by place',
        [text],
      )
      expect(rows.map(({ word }) => word)).toEqual(wordsAsked(text))
    }
  })

  it.each([
    [
      'letters of a script without spaces, all of them different',
      (n: number) => String.fromCodePoint(0x20000 + n),
    ],
    ['short words, all of them different', (n: number) => `${n.toString(36)} `],
    ['names without an end', (n: number) => `${n.toString(36)}.`],
    ['one letter without an end', () => 'a'],
    ['signs without an end', () => '-'],
  ])('given 100,000 letters of %s, then their words are no more than can be stored', async (_, letter) => {
    const text = Array.from({ length: 100_000 }, (_, n) => letter(n))
      .join('')
      .slice(0, 200_000)
    const long = [...text].slice(0, 100_000).join('')
    const [row] = await opened.database.query<{ bytes: number }>(
      'select pg_column_size(search_words($1)) as bytes',
      [long],
    )
    expect(row?.bytes).toBeLessThan(1_500_000)
  })
})
