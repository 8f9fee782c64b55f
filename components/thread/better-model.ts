import type { OfferedModel } from '@/lib/protocol'

/** Model servers on this machine, which need no key. */
const local = ['ollama', 'lmstudio']

/**
 * Next step for a person with the demo model alone: use a model that was found, or add a key; null once there is a
 * key.
 */
export function betterModel<M extends Pick<OfferedModel, 'id' | 'provider'>>(
  models: readonly M[],
): M | 'key' | null {
  const others = models.filter(({ id }) => !id.startsWith('demo:'))
  if (others.some(({ provider }) => !local.includes(provider))) return null
  return others[0] ?? 'key'
}
