export { type ApiKeyInfo, ApiKeys, type KeyHolder } from './api-keys'
export { type Backlog, readBacklog } from './backlog'
export { ChatReads } from './chat-reads'
export { chatVersions } from './chat-versions'
export { checkDatabase, type Finding, findingLine } from './check-database'
export { DrizzleContextStore } from './drizzle-context-store'
export {
  adoptLog,
  type ChatUsage,
  type FollowedSome,
  type Follower,
  followers,
  followLog,
  followSome,
  resetFollower,
  type Usage,
  type UsageByModel,
  usageOf,
  whoIsBehind,
} from './followers'
export { type Difference, type RebuildOptions, type Rebuilt, rebuild } from './rebuild'
export { type LogEntry, type LogState, RunLog } from './run-log'
export { type ClaimedRun, RunStore } from './runs'
export { ThreadCommands } from './thread-commands'
export { ThreadReads } from './thread-reads'
