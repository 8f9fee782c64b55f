export { askBriefly, askForSummary } from './ask-briefly'
export { type AgentSettings, askForAgent } from './ask-for-agent'
export type { FoundModel } from './catalogue/found-models'
export { LocalModels } from './catalogue/local-models'
export { nothingKnown } from './catalogue/model-facts'
export { ownProviders, type ProviderName, providerLabel } from './catalogue/providers'
export { testKey } from './catalogue/test-key'
export { explainError } from './explain-error'
export {
  KeyTestError,
  KeyUnreadableError,
  ProviderNotConfiguredError,
  UnknownModelError,
} from './model-errors'
export { modelPrompt, type PromptParts, sentPrompt } from './model-prompt'
export type { Models, OwnKey } from './models'
export { ownHostFetch } from './own-host-fetch'
export { publicFetch } from './public-fetch'
export type { Reach } from './reach'
export { hideSecret, withoutSecrets } from './redact'
export { createModels, usesLocalModels } from './registry'
export { cleanDeep } from './reply/clean-text'
export { assembleMessage } from './reply/settle-message'
export { streamReply } from './stream-reply'
export { boundedTool, type ToolBounds } from './tools/bounded-tool'
export { builtIns, type ToolWork } from './tools/built-in'
export type { ServerTool } from './tools/listed-tools'
export { sentName } from './tools/tool-names'
export { listTools, ToolConnection, ToolServerError } from './tools/tool-server'
