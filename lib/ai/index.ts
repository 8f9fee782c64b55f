export { askBriefly, askForSummary } from './ask-briefly'
export { type AgentSettings, askForAgent } from './ask-for-agent'
export type { FoundModel } from './catalogue/found-models'
export { LocalModels } from './catalogue/local-models'
export { nothingKnown } from './catalogue/model-facts'
export { ownProviders, type ProviderName, providerLabel } from './catalogue/providers'
export { testKey } from './catalogue/test-key'
export { explainAnswer, explainError } from './explain-error'
export {
  KeyTestError,
  KeyUnreadableError,
  ProviderNotConfiguredError,
  UnknownModelError,
} from './model-errors'
export { modelPrompt } from './model-prompt'
export { ownHostFetch } from './own-host-fetch'
export { publicFetch } from './public-fetch'
export type { Reach } from './reach'
export { hideSecret, withoutSecrets } from './redact'
export { createModels, type Models, type OwnKey, usesLocalModels } from './registry'
export { cleanDeep } from './reply/clean-text'
export { assembleMessage } from './reply/settle-message'
export { streamReply } from './stream-reply'
export { boundedTool, type ToolBounds } from './tools/bounded-tool'
export { builtIns, type ToolWork } from './tools/built-in'
export {
  listTools,
  type ServerTool,
  ToolConnection,
  ToolServerError,
} from './tools/tool-server'
export { LONGEST_SILENCE, unhurriedFetch } from './wire/patient-fetch'
export { notesUsageRefusal, refusesUsage } from './wire/pliant-fetch'
