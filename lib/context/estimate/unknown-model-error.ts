/** A model whose price and limits nobody knows here; the message says how to tell them. */
export class UnknownModelError extends Error {
  override readonly name = 'UnknownModelError'

  constructor(readonly modelId: string) {
    super(
      `Unknown model "${modelId}": its price and context size are not on file. Use an id of the form ` +
        `"provider:model", pass its figures as estimateUsage(id, text, { models: { "${modelId}": … } }), ` +
        'or add it to lib/context/estimate/model-table.ts.',
    )
  }
}
