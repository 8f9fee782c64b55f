import fc from 'fast-check'
import {
  assistant,
  type ContextFragment,
  type FragmentData,
  fragment,
  lastAssistantMessage,
  user,
} from '@/lib/context/fragments'

/**
 * Functions are equal only to themselves, so codecs are compared by what they give.
 *
 * @param omits keys of objects to leave out of the comparison
 */
export function comparable(
  value: unknown,
  omits: (key: PropertyKey, inner: unknown) => boolean = () => false,
): unknown {
  if (Array.isArray(value)) return value.map((item) => comparable(item, omits))
  if (typeof value !== 'object' || value === null) return value
  const entries = Reflect.ownKeys(value).map((key) => [key, Reflect.get(value, key)] as const)
  const result: object = {}
  for (const [key, inner] of entries) {
    if (omits(key, inner)) continue
    const isCodec = key === 'codec' && typeof inner?.encode === 'function'
    const shown = isCodec ? { encoded: inner.encode(), decoded: inner.decode() } : comparable(inner, omits)
    Object.defineProperty(result, key, { value: shown, enumerable: true })
  }
  return result
}

const key = fc.oneof(
  fc.constantFrom(...'name data type id $ $fragment $object $undefined $message __proto__'.split(' ')),
  fc.string(),
)
/** Any fragment at all, messages and lazy ones among them, with anything nested in it. */
export const { fragment: anyFragment } = fc.letrec<{ data: FragmentData; fragment: ContextFragment }>(
  (tie) => ({
    data: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.string({ unit: 'binary' }),
      fc.double(),
      fc.boolean(),
      fc.constantFrom(null, undefined),
      tie('fragment'),
      fc.array(tie('data'), { maxLength: 4 }),
      fc.dictionary(key, tie('data'), { maxKeys: 4, noNullPrototype: true }),
    ),
    fragment: fc.oneof(
      fc.record(
        {
          id: fc.string(),
          name: fc.string(),
          data: tie('data'),
          type: fc.constant('fragment' as const),
          persist: fc.boolean(),
          metadata: fc.dictionary(key, fc.jsonValue(), { noNullPrototype: true }),
        },
        { requiredKeys: ['name', 'data'], noNullPrototype: true },
      ),
      fc.string().map((text): ContextFragment => user(text)),
      fc.string().map((text): ContextFragment => {
        const message = { id: 'm', role: 'assistant', metadata: undefined } as const
        return assistant({ ...message, parts: [{ type: 'text', text }] })
      }),
      fc.string().map((text): ContextFragment => lastAssistantMessage(text)),
      fc.array(tie('data'), { maxLength: 4 }).map((children) => fragment('nested', ...children)),
    ),
  }),
)
