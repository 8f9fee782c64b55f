import type { Dice } from '@/testing/worlds/dice'
import { times } from './attack'
import { type Belongings, kinds as kindsOfIds } from './belongings'
import * as parts from './hostile-parts'
import type { Target } from './targets'

/** Those who take part: who asks, someone who has nothing to lose, and someone whose things are not theirs to see. */
export interface Cast {
  own: Belongings
  spare: Belongings
  other: Belongings
  dice: Dice
}

/** A request that is being written. */
interface Draft {
  method: string
  path: string
  headers: [name: string, value: string][]
  body: string | Buffer
  target: Target
  /** sent as it stands instead */
  raw?: string
  /** how many of its bytes are sent before the client leaves */
  cut?: number
}

/** A request as its bytes. */
export interface Written {
  bytes: Buffer
  path: string
  cut: number | undefined
  /** for a person who looks for the fault */
  shown: string
}

const pick = <T>({ dice }: Cast, values: readonly T[]): T => values[dice.roll(values.length)] as T

/** What ends a session, an account or all chats is asked for by the one who has nothing to lose. */
const isRash = ({ method, path }: Target): boolean => method === 'DELETE' || /\/auth\/|deleteChat/.test(path)

/** A text with ids in place of their names. */
const filled = (text: string, { ids }: Belongings): string =>
  text.replace(/\{(\w+)\}/g, (whole, kind: string) => ids[kind as keyof typeof ids] ?? whole)

const without = (draft: Draft, name: string): void => {
  draft.headers = draft.headers.filter(([given]) => given !== name)
}

const replaced = (draft: Draft, name: string, value: string): void => {
  without(draft, name)
  draft.headers.push([name, value])
}

/** A value with one of its parts, however deep, replaced; `change` answers undefined for a part that goes. */
function changed(value: unknown, dice: Dice, change: () => unknown): unknown {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
  const at = dice.roll(entries.length + (entries.length > 0 ? 0 : 1))
  const chosen = entries[at]
  if (!chosen) return change()
  const [key, part] = chosen
  const next = dice.roll(3) === 0 ? change() : changed(part, dice, change)
  return Array.isArray(value) ? value.toSpliced(at, 1, next) : { ...(value as object), [key]: next }
}

const fieldsOf = ({ target: { fields = {}, known = fields } }: Draft): object => ({ ...known, ...fields })

const say = (draft: Draft, value: unknown): void => {
  draft.body = JSON.stringify(value) ?? ''
}

/** One thing that is wrong with a request, by its name. */
const wrongs: Readonly<Record<string, (draft: Draft, cast: Cast) => void>> = {
  'another method': (draft, cast) => {
    draft.method = pick(
      cast,
      parts.words('GET POST PUT PATCH DELETE HEAD OPTIONS TRACE CONNECT PROPFIND get X'),
    )
  },
  'an odd address': (draft, cast) => {
    const pieces = draft.path.split(/(?=[/?&=])/)
    const at = cast.dice.roll(pieces.length)
    const odd = pick(cast, parts.oddPieces)
    pieces.splice(at, cast.dice.roll(2), `${pick(cast, ['/', '', '?', '&', '='])}${odd}`)
    draft.path = encoded(pieces.join('') || '/')
  },
  'an odd id': (draft, cast) => {
    const own = Object.values(cast.own.ids).filter((id) => draft.path.includes(id))
    const id = pick(cast, own.length > 0 ? own : [draft.path.split('/').at(-1) ?? ''])
    const odd = pick(cast, parts.oddIds)(id)
    draft.path = encoded(id === '' ? `${draft.path}${odd}` : draft.path.replace(id, () => odd))
  },
  'an odd query': (draft, cast) => {
    const odd = encoded(pick(cast, parts.oddQueries))
    draft.path = `${draft.path}${draft.path.includes('?') ? '&' : '?'}${odd}`
  },
  'an id of another person': (draft, cast) => {
    const kind = pick(cast, kindsOfIds)
    const from = cast.own.ids[kind]
    const put = (text: string) => text.replaceAll(from, cast.other.ids[kind])
    draft.path = put(draft.path)
    if (typeof draft.body === 'string') draft.body = put(draft.body)
  },
  'no identity': (draft) => {
    without(draft, 'Cookie')
    without(draft, 'Authorization')
  },
  'a bad identity': (draft, cast) => {
    without(draft, 'Authorization')
    replaced(draft, 'Cookie', cast.own.visitor.cookie.slice(0, -1 - cast.dice.roll(20)))
    if (cast.dice.roll(2) === 0)
      draft.headers.push(['Authorization', `Bearer ${cast.own.ids.secretKey.slice(0, -1)}`])
  },
  'a key as identity': (draft, cast) => {
    without(draft, 'Cookie')
    replaced(draft, 'Authorization', `Bearer ${cast.own.ids.secretKey}`)
  },
  'a hostile header': (draft, cast) => {
    const [name, value] = pick(cast, parts.oddHeaders)
    if (cast.dice.roll(4) > 0) without(draft, name)
    draft.headers.push([name, value])
  },
  'a header again and again': (draft, cast) => {
    const [name, value] = pick(cast, draft.headers)
    draft.headers.push(...times(pick(cast, [1, 2, 90, 1500]), (): [string, string] => [name, value]))
  },
  'another type': (draft, cast) => replaced(draft, 'Content-Type', pick(cast, parts.oddTypes)),
  'an odd field': (draft, cast) => {
    say(
      draft,
      changed(fieldsOf(draft), cast.dice, () => pick(cast, parts.oddValues)),
    )
  },
  'a missing field': (draft, cast) => {
    say(
      draft,
      changed(draft.target.fields ?? {}, cast.dice, () => undefined),
    )
  },
  'fields too many': (draft, cast) => {
    const odd = { [pick(cast, ['__proto__', 'extra', 'constructor', 'ownerId', 'userId'])]: 1 }
    say(draft, { ...fieldsOf(draft), ...odd, [pick(cast, parts.oddPieces)]: pick(cast, parts.oddValues) })
  },
  'a broken body': (draft, cast) => {
    const text = draft.body.toString() || '{"a":1}'
    draft.body = pick<() => string | Buffer>(cast, [
      () => text.slice(0, cast.dice.roll(text.length)),
      () => Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xff, 0xfe, 0xc0])]),
      () => text.repeat(2),
      () => text.replace(/"(\w+)":/, '"$1":1,"$1":'),
      () => text.replace(/[a-z]/, '\0'),
      () => JSON.stringify(pick(cast, parts.oddValues)),
    ])()
  },
  'odd JSON': (draft, cast) => {
    draft.body = pick(cast, parts.oddJson)
  },
  'an odd form': (draft, cast) => {
    replaced(draft, 'Content-Type', pick(cast, ['multipart/form-data; boundary=b', ...parts.oddTypes]))
    draft.body = Buffer.from(pick(cast, parts.oddForms), 'latin1')
  },
  'a packed body': (draft, cast) => {
    replaced(draft, 'Content-Encoding', pick(cast, ['gzip', 'br', 'deflate', 'gzip, gzip']))
    draft.body = parts.gzipBomb()
  },
  'an action': (draft, cast) => {
    draft.method = 'POST'
    draft.path = pick(cast, ['/', `/c/${cast.own.ids.chat}`, '/no-such-page', '/docs/api'])
    draft.headers.push(['Next-Action', pick(cast, ['x', '0'.repeat(42), '40'.padEnd(42, 'a'), ''])])
    replaced(draft, 'Content-Type', pick(cast, ['text/plain;charset=UTF-8', ...parts.oddTypes]))
    draft.body = pick(cast, [
      '',
      ...parts.words('[] [{}] ["$F1"] ["$K1"] ["$Q1"] ["$1:a:b"] { [1 ["$@0"] [[[[]]]] ["$B1"]'),
    ])
  },
  'a wrong length': (draft, cast) => {
    draft.headers.push(['Content-Length', pick(cast, ['-1', 'x', '0', '99999999999999', '5, 6', '1e3'])])
  },
  'a client that leaves': (draft, cast) => {
    draft.cut = 1 + cast.dice.roll(2000)
  },
  'no HTTP': (draft, cast) => {
    draft.raw = pick(cast, parts.noHttp)
  },
}

const names = Object.keys(wrongs)

/** The request of a number: the target follows from it, and so does the first of one to three things that are wrong. */
export function hostileRequest(index: number, base: string, targets: readonly Target[], cast: Cast): Written {
  const target = targets[index % targets.length]
  if (!target) throw new Error('There is nothing to ask for')
  const draft = honest(target, base, cast)
  const first = names[(index + Math.floor(index / targets.length)) % names.length] ?? ''
  const wrong = [first, ...times(cast.dice.roll(3), () => pick(cast, names))]
  for (const name of wrong) wrongs[name]?.(draft, cast)
  const bytes = draft.raw === undefined ? bytesOf(draft) : Buffer.from(draft.raw, 'latin1')
  return {
    bytes,
    path: draft.raw === undefined ? draft.path : (/^\w+ (\S+) /.exec(draft.raw)?.[1] ?? '/'),
    cut: draft.cut,
    shown: `[${wrong.join(', ')}] ${shown(bytes)}`,
  }
}

/** A request without a fault. */
export function honestRequest(target: Target, base: string, cast: Cast): Written {
  const bytes = bytesOf(honest(target, base, cast))
  return { bytes, path: target.path, cut: undefined, shown: shown(bytes) }
}

function honest(target: Target, base: string, cast: Cast): Draft {
  const { own, spare } = cast
  const asker = isRash(target) ? spare : own
  const identity: [string, string] = target.byKey
    ? ['Authorization', `Bearer ${asker.ids.secretKey}`]
    : ['Cookie', asker.visitor.cookie]
  const { body, type } = bodyOf(target, own)
  return {
    method: target.method,
    path: filled(target.path, own),
    headers: [
      ['Host', new URL(base).host],
      identity,
      ...Object.entries(target.headers),
      ...(type === undefined ? [] : [['Content-Type', type] as [string, string]]),
    ],
    body,
    target,
  }
}

function bodyOf({ fields, form }: Target, own: Belongings): { body: string; type?: string } {
  if (!fields) return { body: '' }
  const text = filled(JSON.stringify(fields), own)
  if (form === 'action') return { body: text, type: 'text/plain;charset=UTF-8' }
  if (form === 'multipart') return { body: parts.honestForm, type: 'multipart/form-data; boundary=b' }
  if (form === 'urlencoded') {
    const body = new URLSearchParams(JSON.parse(text) as Record<string, string>).toString()
    return { body, type: 'application/x-www-form-urlencoded' }
  }
  return { body: text, type: 'application/json' }
}

function bytesOf({ method, path, headers, body }: Draft): Buffer {
  const bytes = Buffer.from(body)
  const framed = headers.some(([name]) => name === 'Content-Length' || name === 'Transfer-Encoding')
  const length = framed || bytes.length === 0 ? [] : [`Content-Length: ${bytes.length}`]
  const lines = [
    `${method} ${path} HTTP/1.1`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...length,
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytes])
}

/** As a careless client writes it: only what would end the line is encoded. */
const encoded = (text: string): string => text.replaceAll(/\s/g, (c) => encodeURIComponent(c))

const shown = (bytes: Buffer): string =>
  bytes
    .subarray(0, 600)
    .toString('latin1')
    .replaceAll('\r\n', '⏎')
    .replace(/Cookie: [^⏎]{40,}/, 'Cookie: …')
