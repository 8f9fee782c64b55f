import { explainError } from '../explain-error'
import { KeyTestError } from '../model-errors'
import { hideSecret } from '../redact'
import { type FoundModel, modelsIn } from './found-models'
import { COMPATIBLE, knownProviders, type ProviderName } from './providers'

/** How long a provider may take, in ms, and how long its list may be, in bytes. */
const PATIENCE = 10_000
const LONGEST_LIST = 3_000_000

/** A key to be tested, and whom to ask. */
export interface KeyToTest {
  readonly provider: ProviderName
  readonly key: string
  /** of a server that speaks OpenAI's protocol, without the last slash */
  readonly baseUrl: string | null
}

/**
 * Asks a provider with a key for its models: one or two requests that cost nothing. Resolves to the models that can chat.
 *
 * @param fetch reaches the provider; it decides which addresses are allowed
 * @param signal ends the test: it then rejects as for a provider that does not answer
 * @throws KeyTestError for a key the provider refuses, a provider that does not answer or answers with something else, and
 *   an address that is not allowed. Its message never holds what the provider said.
 */
export async function testKey(
  { provider, key, baseUrl }: KeyToTest,
  fetch: typeof globalThis.fetch,
  signal?: AbortSignal,
): Promise<FoundModel[]> {
  const known = knownProviders.find(({ name }) => name === provider)
  const base = known?.baseUrl ?? baseUrl
  if (base === null || base === undefined) throw new TypeError('A compatible server needs its address')
  const name = known?.label ?? 'The server'
  const headers: Record<string, string> = { ...known?.headers }
  // a private server may need none
  if (key !== '') headers[known?.header ?? 'authorization'] = known?.header ? key : `Bearer ${key}`
  const ask = async (path: string): Promise<unknown> => {
    const late = AbortSignal.timeout(PATIENCE)
    let response: Response
    try {
      response = await fetch(`${base}${path}`, {
        headers,
        signal: signal ? AbortSignal.any([signal, late]) : late,
      })
    } catch (error) {
      throw notAnswered(error, name)
    }
    if (!response.ok) {
      await response.body?.cancel()
      throw refused(response.status, name)
    }
    return readJson(response, name)
  }
  if (known?.check !== undefined) await ask(known.check)
  const found = modelsIn(await ask(known?.list ?? '/models'))
  if (found === undefined || (found.length === 0 && provider === COMPATIBLE)) throw noList(name)
  hideSecret(key)
  return found
}

function notAnswered(error: unknown, name: string): KeyTestError {
  const { kind, message } = explainError(error)
  if (kind === 'refused') return new KeyTestError('address_refused', message)
  const late = error instanceof DOMException && error.name === 'TimeoutError'
  return new KeyTestError(
    'provider_unreachable',
    late ? `${name} did not answer within 10 seconds.` : `${name} could not be reached.`,
  )
}

function refused(status: number, name: string): KeyTestError {
  if (status === 400 || status === 401 || status === 403)
    return new KeyTestError('key_refused', `${name} refused this key. Check that it is complete and active.`)
  if (status === 404)
    return new KeyTestError('provider_answer', `${name} has no list of models at this address.`)
  return new KeyTestError('provider_answer', `${name} answered with an error (${status}). Try again later.`)
}

const noList = (name: string): KeyTestError =>
  new KeyTestError('provider_answer', `${name} answered without a list of models. Check the address.`)

/** A body as JSON, read up to a limit. */
async function readJson(response: Response, name: string): Promise<unknown> {
  const parts: Uint8Array[] = []
  let length = 0
  try {
    for await (const part of response.body ?? []) {
      length += part.length
      if (length > LONGEST_LIST) throw noList(name)
      parts.push(part)
    }
  } catch (error) {
    throw error instanceof KeyTestError ? error : notAnswered(error, name)
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'))
  } catch {
    // the person learns that the answer is no list; its content is of no use
    throw noList(name)
  }
}
