export { ChatReads } from './chat-reads'
export { checkDatabase, type Finding, findingLine } from './check-database'
export { DrizzleContextStore } from './drizzle-context-store'
export { RunStore } from './runs'
