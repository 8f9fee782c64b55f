import 'server-only'
import { createHash } from 'node:crypto'
import type { Reach } from '@/lib/ai'
import { listOf, textOf } from '@/lib/gateway/protocols/shared/values'
import { addressAt } from './answer'
import { headersTo } from './passed-headers'

/** A model as its provider lists it, in the words of the provider's protocol. */
export type ProviderModel = Readonly<Record<string, unknown>> & { readonly id: string }

/** A list counts and may take so long, in ms; so many are kept; and one may be so long, in bytes. */
const FRESH = 300_000
const PATIENCE = 5_000
const MOST_LISTS = 200
const LONGEST_LIST = 3_000_000

const lists = new Map<string, { at: number; models: Promise<readonly ProviderModel[]> }>()

/** The models that a provider lists for a key; none while it cannot be asked. A list is asked for every five minutes. */
export function listedBy(reach: Reach): Promise<readonly ProviderModel[]> {
  // no key is kept for it
  const name = createHash('sha256')
    .update(JSON.stringify([reach.baseUrl, reach.headers]))
    .digest('base64')
  const known = lists.get(name)
  if (known && Date.now() - known.at < FRESH) return known.models
  const models = asked(reach).catch(() => {
    lists.delete(name)
    return []
  })
  lists.delete(name)
  lists.set(name, { at: Date.now(), models })
  const [oldest] = lists.keys()
  if (lists.size > MOST_LISTS && oldest !== undefined) lists.delete(oldest)
  return models
}

async function asked(reach: Reach): Promise<readonly ProviderModel[]> {
  const response = await reach.fetch(addressAt(reach, '/models?limit=1000'), {
    headers: headersTo(reach, new Headers()),
    signal: AbortSignal.timeout(PATIENCE),
  })
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.length
    if (size > LONGEST_LIST) throw new RangeError('The list of models is too long')
    parts.push(part)
  }
  if (!response.ok) throw new TypeError(`The list of models has the status ${response.status}`)
  const { data } = JSON.parse(Buffer.concat(parts).toString('utf8')) as { data?: unknown }
  return listOf(data).flatMap((model) => {
    const id = textOf((model as Record<string, unknown> | null)?.id)
    return id === undefined ? [] : [{ ...(model as object), id }]
  })
}
