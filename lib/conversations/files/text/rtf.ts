import { Refused } from './task.ts'

/** Groups without text of the document: fonts, styles, pictures, sources of fields. */
const beside =
  /^(?:fonttbl|colortbl|stylesheet|info|pict|object|objdata|themedata|colorschememapping|generator|listtable|listoverridetable|rsidtbl|revtbl|filetbl|latentstyles|datastore|xmlnstbl|mmathPr|fldinst|bkmkstart|bkmkend|header[lrf]?|footer[lrf]?|nonshppict|shpinst|list|pgptbl)$/
/** Words of control that are a character. */
const characters: Readonly<Record<string, string>> = {
  par: '\n',
  line: '\n',
  sect: '\n',
  page: '\n',
  row: '\n',
  tab: '\t',
  cell: '\t',
  nestcell: '\t',
  nestrow: '\n',
  emdash: '—',
  endash: '–',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  '~': '\u00a0',
  _: '\u2011',
  emspace: ' ',
  enspace: ' ',
  '\n': '\n',
  '\r': '\n',
}
/** Code pages of fonts, by their `fcharset`. */
const charsets: Readonly<Record<number, string>> = {
  77: 'macintosh',
  128: 'shift_jis',
  129: 'euc-kr',
  134: 'gbk',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
}
const pages: Readonly<Record<number, string>> = {
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  874: 'windows-874',
  10000: 'macintosh',
}
const token = /\\(?:'([0-9a-fA-F]{2})|([a-zA-Z]+)(-?\d{1,10})? ?|([^a-zA-Z']))|([{}])|([^\\{}\r\n]+)|[\r\n]+/g

interface State {
  isBeside: boolean
  isHidden: boolean
  encoding: string | undefined
  /** characters that stand in for one of Unicode */
  spare: number
}

/** The text of a file of RTF. */
export function readRtf(bytes: Buffer): string {
  const rtf = bytes.toString('latin1')
  if (!rtf.startsWith('{\\rtf')) throw new Refused('damaged_file', 'is damaged: it does not begin as RTF.')
  let text = ''
  let given: number[] = []
  let [encoding, font, standard, passed, isStarred] = ['windows-1252', 0, 0, 0, false]
  const fonts = new Map<number, string | undefined>()
  const states: State[] = []
  let state: State = { isBeside: false, isHidden: false, encoding: undefined, spare: 1 }
  let fontTable = 0
  /** the token before: a star counts at the beginning of a group only */
  let before = ''
  const flush = () => {
    if (given.length === 0) return
    const decode = (label: string) => new TextDecoder(label).decode(Uint8Array.from(given))
    const own = decode(state.encoding ?? fonts.get(standard) ?? encoding)
    // fonts of symbols name any charset
    text += own.includes('\ufffd') ? decode(encoding) : own
    given = []
  }
  const write = (more: string) => {
    flush()
    if (!state.isBeside && !state.isHidden) text += more
  }
  token.lastIndex = 0
  for (let found = token.exec(rtf); found; found = token.exec(rtf)) {
    const [, hex, word, number, sign, brace, plain] = found
    if (brace === '{') {
      flush()
      states.push({ ...state })
      isStarred = false
    } else if (brace === '}') {
      flush()
      if (states.length === fontTable) fontTable = 0
      const outer = states.pop()
      if (!outer || states.length === 0) break
      state = outer
      passed = 0
    } else if (hex !== undefined || plain !== undefined) {
      const bytes = hex === undefined ? [...Buffer.from(plain ?? '', 'latin1')] : [Number.parseInt(hex, 16)]
      const rest = bytes.slice(passed)
      passed = Math.max(0, passed - bytes.length)
      if (!state.isBeside && !state.isHidden) for (const byte of rest) given.push(byte)
    } else if (sign !== undefined) {
      if (sign === '*') isStarred = before === '{'
      else if ('\\{}'.includes(sign)) write(sign)
      else if (characters[sign]) write(characters[sign])
    } else if (word !== undefined) {
      const value = Number(number ?? 1)
      if (word !== 'u') flush()
      if (isStarred || beside.test(word)) state.isBeside = true
      isStarred = false
      if (word === 'fonttbl') fontTable = states.length
      if (word === 'ansicpg') encoding = encodingOf(pages[value] ?? `windows-${value}`) ?? encoding
      else if (word === 'mac') encoding = 'macintosh'
      else if (word === 'deff') standard = value
      else if (word === 'f') {
        font = value
        if (fontTable === 0) state.encoding = fonts.get(font)
      } else if (word === 'fcharset') fonts.set(font, charsets[value])
      else if (word === 'uc') state.spare = number === undefined ? 1 : value
      else if (word === 'u') {
        flush()
        write(String.fromCharCode(value < 0 ? value + 65_536 : value))
        passed = state.spare
      } else if (word === 'bin') token.lastIndex += Math.max(0, value)
      else if (word === 'v' || word === 'deleted') state.isHidden = number !== '0'
      else if (word === 'plain') state = { ...state, isHidden: false, encoding: undefined }
      else if (characters[word]) write(characters[word])
    }
    before = brace ?? word ?? ''
  }
  flush()
  return text
    .toWellFormed()
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** A code page that can be read here. */
function encodingOf(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
