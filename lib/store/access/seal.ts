import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const NONCE = 12
const TAG = 16
/** Stands before a sealed text, so that another way of sealing can be told apart. */
const VERSION = 'v1.'

/** Characters of the shortest secret, as for `BETTER_AUTH_SECRET`. */
const SHORTEST = 32

/** Seals texts so that they open only with the same secret and for the same thing. */
export interface Seal {
  /** @param bound what the text is for: the same values open it */
  close(text: string, bound: readonly (string | null)[]): string
  /** The text; undefined for one sealed with another secret or for another thing, or changed since. */
  open(sealed: string, bound: readonly (string | null)[]): string | undefined
}

/**
 * A seal of AES-256-GCM under a key that HKDF derives from the server's secret (RELIABILITY.md, "Walls"). What a text is
 * for is associated data: it is not stored with it.
 *
 * @param secret of 32 characters or more
 * @throws RangeError for a shorter one, which anyone may guess
 */
export function createSeal(secret: string): Seal {
  if (secret.length < SHORTEST)
    throw new RangeError(`A secret that seals keys has ${SHORTEST} characters or more`)
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'ramify provider keys', 32))
  const data = (bound: readonly (string | null)[]) => Buffer.from(JSON.stringify(bound))
  return {
    close(text, bound) {
      const nonce = randomBytes(NONCE)
      const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG }).setAAD(data(bound))
      const closed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return VERSION + Buffer.concat([nonce, cipher.getAuthTag(), closed]).toString('base64url')
    },
    open(sealed, bound) {
      const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64url')
      if (!sealed.startsWith(VERSION) || bytes.length < NONCE + TAG) return undefined
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE), { authTagLength: TAG })
      decipher.setAAD(data(bound)).setAuthTag(bytes.subarray(NONCE, NONCE + TAG))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]).toString(
          'utf8',
        )
      } catch {
        // the only error here is a wrong tag: another secret, another thing, or changed bytes
        return undefined
      }
    },
  }
}

/** A seal that is made when it is first asked for: on a laptop its secret is made then. */
export function sealWhenNeeded(secret: () => string): () => Seal {
  let made: Seal | undefined
  return () => {
    made ??= createSeal(secret())
    return made
  }
}
