export { isTimeout, QueryAbandonedError } from '@/lib/db'
export {
  type ApiKeyInfo,
  ApiKeys,
  type Credential,
  heldCredentials,
  type KeyHolder,
  type KeyScope,
  type MadeKey,
} from './access/api-keys'
export { Attempts, type Count, type Counted } from './access/attempts'
export { forgetIdentities } from './access/forget-identities'
export type { Counting, QuotaLimits } from './access/quota'
export {
  forgetOldUse,
  forgetStored,
  giveGuestBack,
  recountStored,
  secondsLeftOfDay,
  takeGuest,
} from './access/quota-records'
export { checkDatabase, type Finding, findingLine } from './admin/check-database'
export type { Difference } from './admin/rebuild/compare-refs'
export { type RebuildOptions, type Rebuilt, rebuild } from './admin/rebuild/rebuild'
export { adoptLog, type Follower, followLog, resetFollower, whoIsBehind } from './followers/follow-log'
export { type Backlog, type FollowedSome, followers, followSome, readBacklog } from './followers/followers'
export { type ChatUsage, type Usage, type UsageByModel, usageOf } from './followers/usage-of'
export { ChatReads } from './reads/chat-reads'
export { chatVersions } from './reads/graph'
export { ThreadReads } from './reads/thread-reads'
export { GateFullError } from './search/search-line'
export { DrizzleContextStore } from './writes/drizzle-context-store'
export { type LogEntry, type LogState, RunLog } from './writes/run-log'
export { type ClaimedRun, RunStore } from './writes/runs'
export { ThreadCommands } from './writes/thread-commands'
