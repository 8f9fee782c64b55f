import { reasonIn, statusOf } from '@/lib/gateway/protocols/shared/reasons'
import { fieldsOf, given, parsed } from '@/lib/gateway/protocols/shared/values'

/** A provider's word that it failed, inside an answer that began as a success. */
export class ProviderSaidError extends Error {
  override readonly name = 'ProviderSaidError'

  constructor(
    /** everything it said, as it said it */
    readonly body: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(reasonIn(body) ?? 'The provider reported an error.')
  }

  /** The error as a text, from which `toldError` makes it again. */
  told(): string {
    const { 'retry-after': after, 'retry-after-ms': ms } = this.headers
    return JSON.stringify({ body: this.body, headers: given({ 'retry-after': after, 'retry-after-ms': ms }) })
  }

  get status(): number | undefined {
    return statusOf(parsed(this.body))
  }
}

/** The type by which an error in a stream for the AI SDK is one of a provider, all that it said its message. */
export const PROVIDER_SAID = 'provider_said'

/** The error that was told as a text. */
export function toldError(text: string): ProviderSaidError {
  const { body, headers } = fieldsOf(parsed(text))
  return new ProviderSaidError(String(body ?? text), fieldsOf(headers) as Record<string, string>)
}
