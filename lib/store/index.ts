export { isTimeout, QueryAbandonedError } from '@/lib/db'
export { type ApiKeyInfo, ApiKeys, type KeyHolder, type KeyScope, type MadeKey } from './api-keys'
export { Attempts, type Count, type Counted } from './attempts'
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
export { forgetIdentities } from './forget-identities'
export { type Credential, heldCredentials } from './held-credentials'
export type { Counting, QuotaLimits } from './quota'
export {
  forgetOldUse,
  forgetStored,
  giveGuestBack,
  recountStored,
  secondsLeftOfDay,
  takeGuest,
} from './quota-records'
export { type Difference, type RebuildOptions, type Rebuilt, rebuild } from './rebuild'
export { type LogEntry, type LogState, RunLog } from './run-log'
export { type ClaimedRun, RunStore } from './runs'
export { GateFullError } from './search-line'
export { ThreadCommands } from './thread-commands'
export { ThreadReads } from './thread-reads'
