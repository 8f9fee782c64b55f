/** A model id that cannot be asked for; the message names the ids that would have worked. */
export class UnknownModelError extends Error {
  override readonly name = 'UnknownModelError'

  /** @param isShared its provider has a key of the server, which is asked for the models of a list only */
  constructor(modelId: string, available: readonly string[], isShared = false) {
    const listed = available.join(', ')
    super(
      isShared
        ? `Model "${modelId}" is not on the list of this server, whose keys many people share. Choose one of: ${listed}. Or add a key of your own under Settings, Models: it is asked for any model.`
        : `Model "${modelId}" is not known here. Choose one of: ${listed}.`,
    )
  }
}

/** A model whose provider exists but has no key in the environment; the message names the variable to set. */
export class ProviderNotConfiguredError extends Error {
  override readonly name = 'ProviderNotConfiguredError'

  constructor(modelId: string, variable: string) {
    super(
      `Model "${modelId}" is switched off. Add a key of your own under Settings, Models, or set ${variable} and restart the server.`,
    )
  }
}

/** An environment variable with a value that cannot work; the message is one line that names it. */
export class ModelSettingError extends Error {
  override readonly name = 'ModelSettingError'

  constructor(variable: string, problem: string) {
    super(`${variable} ${problem}`.replaceAll(/\s+/g, ' '))
  }
}

/** A saved key that cannot be opened: the server's secret is another one by now, or the row was changed. */
export class KeyUnreadableError extends Error {
  override readonly name = 'KeyUnreadableError'

  constructor(provider: string) {
    super(`Your saved key for ${provider} can no longer be read.`)
  }
}

/** Why a provider's key was not taken. */
type KeyTrouble = 'key_refused' | 'provider_unreachable' | 'provider_answer' | 'address_refused'

/** A key that its provider did not accept, or could not be asked about; the message is for the person. */
export class KeyTestError extends Error {
  override readonly name = 'KeyTestError'

  constructor(
    readonly code: KeyTrouble,
    message: string,
  ) {
    super(message)
  }
}
