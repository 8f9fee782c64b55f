import { describe, expect, it } from 'vitest'
import { endOf, piecesOf, placesOf, plainLetters, wordAt, wordsAsked } from '@/lib/events/search-letters'

/** What stands at the first place in a text at which all of a query's words begin; undefined where one is missing. */
function found(text: string, query: string): string | undefined {
  const pieces = piecesOf(text)
  const places = wordsAsked(query).map((word) => {
    const at = pieces.findIndex((_, nth) => wordAt(pieces, nth).word.startsWith(word))
    return at < 0 ? undefined : text.slice(pieces[at]?.from, endOf(pieces, at, word))
  })
  return places.includes(undefined) ? undefined : places[0]
}

describe('letters as they are compared', () => {
  it.each([
    ['naïve', 'naive'],
    ['nai\u0308ve', 'naive'],
    ['ŁÓDŹ', 'lodz'],
    ['Øresund', 'oresund'],
    ['Straße', 'strasse'],
    ['STRASSE', 'strasse'],
    ['İstanbul', 'istanbul'],
    ['ısı', 'isi'],
    ['Ångström', 'angstrom'],
    ['Þórr', 'thorr'],
    ['cœur', 'coeur'],
    ['ＡＢＣ１２３', 'abc123'],
    ['ｶﾞｯｺｳ', 'ガッコウ'],
    ['ﬁn', 'fin'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['οδός', 'οδοσ'],
    ['Tiếng Việt', 'tieng viet'],
    ['مُحَمَّد', 'محمد'],
    ['شَـــكْل', 'شكل'],
    ['שָׁלוֹם', 'שלום'],
    ['한국어', '한국어'],
    ['한국어'.normalize('NFD'), '한국어'],
    ['が', 'が'],
    ['й', 'и'],
  ])('given %s, then they are %s', (text, plain) => {
    expect(plainLetters(text)).toBe(plain)
  })
})

describe('what is found', () => {
  it.each([
    ['我们去里斯本旅行，住在ロッシオ広場の近く。', '里斯本', '里斯本'],
    ['我们去里斯本旅行，住在ロッシオ広場の近く。', '広場', '広場'],
    ['我们去里斯本旅行，住在ロッシオ広場の近く。', '近', '近'],
    ['我们去里斯本旅行', '我们去里斯本旅行', '我们去'],
    ['東京都に住む', '京都', '京都'],
    ['ผมอยากไปเที่ยวลิสบอน', 'ลิสบอน', 'ลิส'],
    ['대한민국서울특별시', '서울', '서울'],
    ['ｶﾞｯｺｳ', 'ガッ', 'ｶﾞｯ'],
    ['see src/lib/foo.ts, please', 'foo', 'foo'],
    ['see src/lib/foo.ts, please', 'lib/foo', 'lib/foo'],
    ['see src/lib/foo.ts, please', 'src/lib/foo.ts', 'src/lib/foo'],
    ['see src/lib/foo.ts, please', 'foo.ts', 'foo.ts'],
    ['C:\\Users\\ada', 'ada', 'ada'],
    ['getUserName()', 'user', 'User'],
    ['getUserName()', 'getusername', 'getUserName'],
    ['getUserName()', 'UserName', 'UserName'],
    ['parseHTMLPage', 'page', 'Page'],
    ['parseHTMLPage', 'html', 'HTML'],
    ['my_snake_case', 'snake', 'snake'],
    ['my_snake_case', 'snake_case', 'snake_case'],
    ['some-kebab-case', 'kebab', 'kebab'],
    ['write to ada.king@example.org today', 'example', 'example'],
    ['write to ada.king@example.org today', 'king@example', 'king@example'],
    ['https://docs.example.org/a/b?c=d', 'docs', 'docs'],
    ['version 1.2.3 is out', '1.2.3', '1.2.3'],
    ['version 1.2.3 is out', '1.2', '1.2'],
    ['version 1.2.3 is out', '2.3', '2.3'],
    ['Ein naïver Plan', 'naive', 'naïver'],
    ['Ein naiver Plan', 'naïve', 'naiver'],
    ['Die Straße', 'strasse', 'Straße'],
    ['Wir sehen Łódź', 'lodz', 'Łódź'],
    ['“quoted”', 'quoted', 'quoted'],
  ])('given “%s”, when %s is looked for, then it is found', (text, query, words) => {
    expect(found(text, query)).toBe(words)
  })

  it.each([
    ['京都と東京', '東京都'],
    ['the page', 'age'],
    ['10 and 25', '1.2'],
    ['a 100% safe plan', 'c%m'],
    ['text', '%'],
    ['里 斯 本', '里斯本'],
  ])('given “%s”, when %s is looked for, then it is not found', (text, query) => {
    expect(wordsAsked(query).length > 0 && found(text, query)).toBeFalsy()
  })
})

it('given a text, then the places of what is searched for are those of its own letters', () => {
  const text = 'Naïve, NAIVE and nai\u0308ve: straße'
  const at = (wanted: string) => placesOf(text, wanted).map(({ from, to }) => text.slice(from, to))
  expect(at('naive')).toEqual(['Naïve', 'NAIVE', 'nai\u0308ve'])
  expect(at('STRASSE')).toEqual(['straße'])
  expect(at('')).toEqual([])
})
