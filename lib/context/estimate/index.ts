export { estimateTokens } from './estimate-tokens'
export { estimateUsage, type UsageEstimate } from './estimate-usage'
export { findModel, MODEL_TABLE, type ModelInfo, PRICES_AS_OF, UnknownModelError } from './model-table'
