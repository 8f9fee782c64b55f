export { explainError } from './explain-error'
export { createModels, type ModelChoice, ModelSettingError, type Models } from './registry'
export { assembleMessage } from './reply/assemble-message'
export { streamReply } from './stream-reply'
