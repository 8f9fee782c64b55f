export { type Digest, digestOf, transcriptOf } from './digest'
export { type MergedContext, mergeContexts, mergedSetup } from './merge-contexts'
export { mergeText, summaryText } from './merge-text'
