import { explainError } from '../explain-error'
import { KeyTestError } from '../model-errors'
import { hideSecret } from '../redact'
import { type FoundModel, MOST_MODELS, modelsIn } from './found-models'
import { COMPATIBLE, knownProviders, type ProviderName } from './providers'

/** Limits of a provider's answer time, in ms, and of its list, in bytes. */
const PATIENCE = 10_000
const LONGEST_LIST = 3_000_000
/** The most pages of a list that are read. */
const MOST_PAGES = 20

/** A key to be tested, and whom to ask. */
export interface KeyToTest {
  readonly provider: ProviderName
  readonly key: string
  /** address of a server that speaks OpenAI's protocol, without the last slash */
  readonly baseUrl: string | null
}

/**
 * Asks a provider with a key for its models: requests that cost nothing, one for each page of its list. Resolves to the
 * models that can chat.
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
  const ask = async (path: string, late = AbortSignal.timeout(PATIENCE)): Promise<unknown> => {
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
  const list = known?.list ?? '/models'
  const first = await ask(list)
  const found = modelsIn(first)
  if (found === undefined) throw noList(name)
  // the pages that follow share one time
  const late = AbortSignal.timeout(PATIENCE)
  for await (const page of pagesAfter(first, (next) => ask(withNext(list, next), late))) found.push(...page)
  if (found.length === 0 && provider === COMPATIBLE) throw noList(name)
  hideSecret(key)
  const byName = new Map(found.toReversed().map((model) => [model.name, model]))
  return [...byName.values()].toReversed().slice(0, MOST_MODELS)
}

/** The models of the pages that follow on one, as far as they can be read; the list ends where it repeats itself. */
async function* pagesAfter(
  first: unknown,
  ask: (next: [string, string]) => Promise<unknown>,
): AsyncGenerator<FoundModel[]> {
  const seen = new Set<string>()
  let page = first
  while (seen.size < MOST_PAGES) {
    const next = nextPage(page)
    if (!next || seen.has(next[1])) return
    seen.add(next[1])
    try {
      page = await ask(next)
    } catch (error) {
      // the models listed before are good enough
      if (error instanceof KeyTestError) return
      throw error
    }
    yield modelsIn(page) ?? []
  }
}

/** The ways to ask for the next page: the key that names it, and the parameter that asks for it. */
const pagings = [
  ['nextPageToken', 'pageToken'],
  ['next_page_token', 'page_token'],
  ['next_cursor', 'cursor'],
  ['nextCursor', 'cursor'],
] as const

function nextPage(page: unknown): [string, string] | undefined {
  if (typeof page !== 'object' || page === null) return undefined
  const fields: Record<string, unknown> = { ...page }
  // Anthropic's and OpenAI's form
  const last = fields.last_id
  if (fields.has_more === true && typeof last === 'string') return ['after_id', last]
  for (const [key, parameter] of pagings) {
    const value = fields[key]
    if (typeof value === 'string' && value !== '') return [parameter, value]
  }
  return undefined
}

function withNext(list: string, [parameter, value]: [string, string]): string {
  const query = new URLSearchParams({ [parameter]: value })
  // OpenAI calls it `after`
  if (parameter === 'after_id') query.set('after', value)
  return `${list}${list.includes('?') ? '&' : '?'}${query}`
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
