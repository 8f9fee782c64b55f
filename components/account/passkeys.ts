import { askIdentity, refusal, type SignedIn } from './ask-identity'

/** True when this browser can use passkeys of this server, which belong to one host. */
export const canUsePasskeys = (host: string): boolean =>
  typeof PublicKeyCredential !== 'undefined' &&
  'parseCreationOptionsFromJSON' in PublicKeyCredential &&
  (location.hostname === host || location.hostname.endsWith(`.${host}`))

/** Signs in with a passkey of this device; rejects when the person closes the browser's question. */
export async function signInWithPasskey(signal?: AbortSignal): Promise<SignedIn> {
  const options = await askIdentity<PublicKeyCredentialRequestOptionsJSON>('passkey/sign-in-options')
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const found = await asked(navigator.credentials.get({ publicKey, ...(signal && { signal }) }))
  return askIdentity<SignedIn>('passkey/sign-in', { response: found.toJSON() })
}

/** Makes a passkey on this device and adds it to the account. */
export async function addPasskey(name: string, signal?: AbortSignal): Promise<void> {
  const options = await askIdentity<PublicKeyCredentialCreationOptionsJSON>('passkey/options')
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const made = await asked(navigator.credentials.create({ publicKey, ...(signal && { signal }) }))
  await askIdentity('passkey/add', { name, response: made.toJSON() })
}

async function asked(question: Promise<Credential | null>): Promise<PublicKeyCredential> {
  const answer = await question.catch((error: unknown) => {
    const name = error instanceof DOMException ? error.name : ''
    if (name === 'InvalidStateError')
      throw refusal('known_passkey', 'This device has a passkey of your account.')
    if (name === 'NotAllowedError' || name === 'AbortError') {
      throw refusal('no_passkey', 'No passkey was chosen. Try again, or sign in another way.')
    }
    throw error
  })
  if (answer instanceof PublicKeyCredential) return answer
  throw refusal('no_passkey', 'No passkey was chosen. Try again, or sign in another way.')
}
