/** A model id that no provider lists; the message names the ids that would have worked. */
export class UnknownModelError extends Error {
  override readonly name = 'UnknownModelError'

  constructor(modelId: string, available: readonly string[]) {
    super(`Model "${modelId}" is not known here. Choose one of: ${available.join(', ')}.`)
  }
}

/** A model whose provider exists but has no key in the environment; the message names the variable to set. */
export class ProviderNotConfiguredError extends Error {
  override readonly name = 'ProviderNotConfiguredError'

  constructor(modelId: string, variable: string) {
    super(`Model "${modelId}" is switched off. Set ${variable} and restart the server to use it.`)
  }
}

/** An environment variable with a value that cannot work; the message is one line that names it. */
export class ModelSettingError extends Error {
  override readonly name = 'ModelSettingError'

  constructor(variable: string, problem: string) {
    super(`${variable} ${problem}`.replaceAll(/\s+/g, ' '))
  }
}
