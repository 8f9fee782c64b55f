export { isTimeout, QueryAbandonedError } from '@/lib/db'
export { type ApiKeyInfo, ApiKeys, type KeyHolder, type KeyScope, type MadeKey } from './access/api-keys'
export { Attempts, type Count, type Counted } from './access/attempts'
export { forgetIdentities } from './access/forget-identities'
export { type Credential, heldCredentials } from './access/held-credentials'
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
export { type Difference, type RebuildOptions, type Rebuilt, rebuild } from './admin/rebuild'
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
export { type Backlog, readBacklog } from './followers/backlog'
export { ChatReads } from './reads/chat-reads'
export { chatVersions } from './reads/chat-versions'
export { ThreadReads } from './reads/thread-reads'
export { GateFullError } from './search/search-line'
export { DrizzleContextStore } from './writes/drizzle-context-store'
export { type LogEntry, type LogState, RunLog } from './writes/run-log'
export { type ClaimedRun, RunStore } from './writes/runs'
export { ThreadCommands } from './writes/thread-commands'
