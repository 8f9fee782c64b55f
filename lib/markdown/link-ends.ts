import { gfm } from 'micromark-extension-gfm'

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    literalAutolink: 'literalAutolink'
    literalAutolinkHttp: 'literalAutolinkHttp'
    literalAutolinkWww: 'literalAutolinkWww'
  }
}

type Extension = ReturnType<typeof gfm>
type Constructs = NonNullable<NonNullable<Extension['text']>[number]>
type Construct = Extract<Constructs, { tokenize: unknown }>
type State = ReturnType<Construct['tokenize']>
type Code = Parameters<State>[0]

const [slash, lessThan] = [47, 60]
/** Signs that cannot end an address. */
const trailing = /^[!"')*,.:;?\]_~]$/

/** Full-width punctuation and closing quotes, which addresses do not contain. */
const punctuation =
  /^[\u2018-\u201f\u2026\u3000-\u3004\u3008-\u3020\u3030\u30fb\ufe10-\ufe6f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\u00ab\u00bb]$/
/** Letters of the languages that are written without spaces. */
const unspaced =
  /^[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u302f\u3031-\u30fa\u30fc-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc]$/
/** Signs after which such a letter is part of an address. */
const goesOn = /^[/=&?#%_+-]$/

/**
 * Ends the addresses that are links without a mark: before full-width punctuation, and before a word of a language
 * without spaces. A path may hold such words itself, as `/wiki/北京` does.
 */
export function linkEnds(): Extension {
  const text: NonNullable<Extension['text']> = {}
  const all = gfm().text ?? {}
  // h and w, as in https: and www.
  for (const letter of [72, 104, 87, 119]) {
    const links = [all[letter] ?? []].flat().filter(({ name }) => /^(protocol|www)Autolink$/.test(name ?? ''))
    text[letter] = links.map(ending)
  }
  return { text }
}

/** A construct that finds an address as `found` does, and cuts its end. */
function ending(found: Construct): Construct {
  const type = found.name === 'wwwAutolink' ? 'literalAutolinkWww' : 'literalAutolinkHttp'
  return {
    ...found,
    tokenize(effects, ok, nok) {
      let [slashes, open] = [0, 0]
      const isWordOfText = (letter: string): boolean => {
        const before = this.previous === null ? '' : String.fromCharCode(this.previous)
        if (!unspaced.test(letter) || unspaced.test(before)) return false
        if (type === 'literalAutolinkHttp' && slashes < 3) return !/[/.-]/.test(before)
        // the slash after a host mostly ends an address
        const isAfterHost = before === '/' && slashes === (type === 'literalAutolinkHttp' ? 3 : 1)
        return isAfterHost || !goesOn.test(before)
      }
      const isEnd = (code: Code): boolean => {
        if (code === null || code <= 32 || code === lessThan) return true
        const letter = String.fromCharCode(code)
        return code > 127 && (/\s/.test(letter) || punctuation.test(letter) || isWordOfText(letter))
      }

      const begin: State = (code) => {
        effects.enter('literalAutolink')
        effects.enter(type)
        return inside(code)
      }
      const inside: State = (code) => {
        if (isEnd(code)) return end(code)
        const letter = String.fromCharCode(code ?? 0)
        if (letter === '(') open++
        if (!trailing.test(letter)) return take(code)
        if (letter !== ')' || open === 0) return effects.check(trail, end, take)(code)
        open--
        return take(code)
      }
      const take: State = (code) => {
        if (code === slash) slashes++
        effects.consume(code)
        return inside
      }
      const end: State = (code) => {
        effects.exit(type)
        effects.exit('literalAutolink')
        return ok(code)
      }
      /** Punctuation with nothing of the address behind it. */
      const trail: Construct = {
        partial: true,
        tokenize(partial, isTrail, isPart) {
          const next: State = (code) => {
            if (isEnd(code)) return isTrail(code)
            if (!trailing.test(String.fromCharCode(code ?? 0))) return isPart(code)
            partial.consume(code)
            return next
          }
          return next
        },
      }
      return effects.check(found, begin, nok)
    },
  }
}
