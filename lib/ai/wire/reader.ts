/** Reads what a provider sends in one protocol, and says it as the AI SDK reads that protocol. */
export interface WireReader {
  /**
   * The events that a value of the stream makes; none for a value that is no piece of the reply. A whole answer makes
   * all of its events.
   *
   * @param value parsed from JSON
   * @param event the name of the event
   * @throws ProviderSaidError for the provider's word that it failed
   */
  take(value: unknown, event: string | undefined): object[]
  /** An error as the protocol words it in a stream. */
  failure(error: { type: string; message: string }): object
  /** The events that the AI SDK needs at the end of a reply that the provider says is done. */
  close(): object[]
  /**
   * `finished`: the reply is whole, and little more may come, how many tokens it took for example. `done`: nothing more
   * comes.
   */
  readonly state: 'open' | 'finished' | 'done'
}
