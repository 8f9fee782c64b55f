export { aboutTokens } from './about-tokens'
export { addUsage, type UsageTotals } from './add-usage'
export { estimateTokens } from './estimate-tokens'
export {
  estimatePrompt,
  estimateUsage,
  type FragmentEstimate,
  type PromptEstimate,
  type UsageEstimate,
} from './estimate-usage'
export { findModel, MODEL_TABLE, type ModelInfo, PRICES_AS_OF, UnknownModelError } from './model-table'
export { toldTokens } from './told-tokens'
