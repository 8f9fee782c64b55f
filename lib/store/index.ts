export { ChatReads } from './chat-reads'
export { DrizzleContextStore } from './drizzle-context-store'
export { RunStore } from './runs'
