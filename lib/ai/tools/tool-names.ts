import { createHash } from 'node:crypto'

/** The longest name that all providers take. */
const MOST = 64
/** Digits of the hash, each of four bits. */
const HASH = 8

/**
 * The name under which a server's tool is offered: `server__tool`. A name that is too long, or has characters that
 * providers refuse, ends in a hash of itself: it is the same each time, and almost surely no other tool's. The name of a
 * server has no underscore, so a plain name stands for one tool.
 *
 * @example toolNameOf('github', 'create_issue') // 'github__create_issue'
 */
export const toolNameOf = (server: string, tool: string): string => safeName(`${server}__${tool}`)

/** A name as `toolNameOf` makes it safe. */
function safeName(plain: string): string {
  const safe = plain.replace(/[^A-Za-z0-9_-]/g, '_')
  if (safe === plain && plain.length <= MOST) return plain
  const hash = createHash('sha256').update(plain).digest('hex').slice(0, HASH)
  return `${safe.slice(0, MOST - HASH - 1)}_${hash}`
}

/**
 * The name of any tool as providers take it, an imported chat's too: Google wants a letter or `_` at its beginning.
 *
 * @example sentName('canmore.create_textdoc') // 'canmore_create_textdoc_…'
 */
export const sentName = (name: string): string => safeName(/^[A-Za-z_]/.test(name) ? name : `_${name}`)
