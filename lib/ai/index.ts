export { explainError } from './explain-error'
export { createModels, type ModelChoice, ModelSettingError, type Models } from './registry'
export { streamReply } from './stream-reply'
