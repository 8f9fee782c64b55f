import { expect, it } from 'vitest'
import { decodeText } from './decode-text'

const hex = (bytes: string) => Buffer.from(bytes, 'hex')

it.each([
  ['UTF-8', Buffer.from('Größe'), 'Größe'],
  ['UTF-8 with a mark', Buffer.from('\ufeffa,b'), 'a,b'],
  ['UTF-16 with a mark', Buffer.from('\ufeffname,città', 'utf16le'), 'name,città'],
  ['UTF-16, the other way round', Buffer.from('\ufeffname,città', 'utf16le').swap16(), 'name,città'],
  ['UTF-16 without a mark', Buffer.from('name,city\n1,2\n', 'utf16le'), 'name,city\n1,2\n'],
  ['Latin-1', Buffer.from('Straße;Größe\nschön;müde\n', 'latin1'), 'Straße;Größe\nschön;müde\n'],
  // 名前,都市 / 田中さん,東京です
  [
    'Shift-JIS',
    hex('96bc914f2c9373 8e730a9363928682b382f12c938c8b9e82c582b70a'.replaceAll(' ', '')),
    '名前,都市\n田中さん,東京です\n',
  ],
  // Привет, мир: как дела сегодня
  [
    'KOI8-R',
    hex('f0d2c9d7c5d42c20cdc9d23a20cbc1cb20c4c5ccc120d3c5c7cfc4ced1'),
    'Привет, мир: как дела сегодня',
  ],
  ['colours of a terminal', Buffer.from('\x1b[31mred\x1b[0m'), '\x1b[31mred\x1b[0m'],
])('given %s, then its words are read', (_, bytes, text) => {
  expect(decodeText(bytes)).toBe(text)
})

it.each([
  ['bytes', hex('010002ff')],
  ['a program', hex('7f454c460201010000000000')],
  ['numbers that look like UTF-16', hex('0100020003000000')],
  ['high bytes with controls', hex('e905f806c1')],
])('given %s, then they are no text', (_, bytes) => {
  expect(decodeText(bytes)).toBeUndefined()
})
