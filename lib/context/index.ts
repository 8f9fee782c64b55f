/**
 * The context engine: immutable messages in a graph, branches and checkpoints that point into it, and fragments that
 * become a system prompt. Names follow the source documents (`seeds/000…003`); CONTRACT.md “For code” lists them.
 */
export * from './acts/leave-out'
export * from './codecs'
export * from './commit'
export * from './engine'
export * from './estimate'
export * from './fragments'
export * from './merging'
export * from './planners'
export * from './renderers'
export * from './store'
