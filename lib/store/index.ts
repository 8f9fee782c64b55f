export { isTimeout, QueryAbandonedError } from '@/lib/db'
export { ApiKeys, type Credential, heldCredentials, type KeyScope } from './access/api-keys'
export { Attempts, type Count } from './access/attempts'
export { ContextPresets } from './access/context-presets'
export { forgetIdentities } from './access/forget-identities'
export {
  type ProviderKeyInfo,
  ProviderKeys,
} from './access/provider-keys'
export type { QuotaLimits } from './access/quota'
export {
  forgetOldUse,
  forgetStored,
  giveGuestBack,
  recountStored,
  secondsLeftOfDay,
  takeGuest,
} from './access/quota-records'
export { createSeal, sealWhenNeeded } from './access/seal'
export { type StoredToolServer, ToolServers, TooManyServersError } from './access/tool-servers'
export { checkDatabase, findingLine } from './admin/check-database'
export type { Difference } from './admin/rebuild/compare-refs'
export { rebuild } from './admin/rebuild/rebuild'
export { type FileInfo, Files } from './files/files'
export { adoptLog, followLog, resetFollower } from './followers/follow-log'
export { followers, followSome, readBacklog } from './followers/followers'
export { ChatReads } from './reads/chat-reads'
export { chatVersions } from './reads/graph'
export { ThreadReads } from './reads/thread-reads'
export { UsageReads } from './reads/usage-reads'
export { GateFullError } from './search/search-line'
export { DrizzleContextStore } from './writes/drizzle-context-store'
export { RunLog } from './writes/run-log'
export { RunStore } from './writes/runs'
export { Summaries } from './writes/summaries'
export { ThreadCommands } from './writes/thread-commands'
