export * from './change'
export { checkChange, checkData } from './check-change'
export { type BranchChain, ContextStore, type OpenedChat } from './context-store'
export type * from './driven'
export * from './errors'
export { InMemoryContextStore } from './in-memory-context-store'
export { canonicalJson, jsonEqual } from './json'
export * from './records'
export {
  type RunNews,
  type RunPage,
  type RunPosition,
  RunStreams,
  type WrittenParts,
} from './runs/run-streams'
export { snippetOf } from './snippet'
export type * from './threads'
