import 'server-only'
import { hash } from 'node:crypto'

/** Credentials that are remembered at most. */
const MOST = 1000

/**
 * The persons that credentials stood for when they were last looked up. It is no more than a guess: a credential may be revoked,
 * and each call looks it up again.
 */
export class LastOwners {
  /** by the credential's hash, the least recent first */
  readonly #owners = new Map<string, string>()

  of(credential: string): string | undefined {
    return this.#owners.get(hash('sha256', credential))
  }

  note(credential: string, ownerId: string): void {
    const key = hash('sha256', credential)
    this.#owners.delete(key)
    this.#owners.set(key, ownerId)
    if (this.#owners.size <= MOST) return
    for (const oldest of this.#owners.keys()) return void this.#owners.delete(oldest)
  }
}
