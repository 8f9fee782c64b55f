export { isTimeout, QueryAbandonedError } from '@/lib/db'
export { ApiKeys, type Credential, type Held, heldCredentials, type KeyScope } from './access/api-keys'
export { Attempts, type Count } from './access/attempts'
export { ChatDefaultsStore } from './access/chat-defaults'
export { ContextPresets } from './access/context-presets'
export { forgetIdentities } from './access/forget-identities'
export { forgetGone, forgetPerson, forgetSilentGuests } from './access/forget-person'
export { Members } from './access/members'
export { moveBelongings } from './access/move-belongings'
export {
  ACCESS_TOKEN,
  type AuthMethod,
  authMethods,
  type Exchange,
  type OAuthApp,
  OAuthApps,
} from './access/oauth-apps'
export { MachineOwner } from './access/owner'
export { Proposals } from './access/proposals'
export {
  type ProviderKeyInfo,
  ProviderKeys,
} from './access/provider-keys'
export { type QuotaLimits, secondsLeftOfDay } from './access/quota'
export {
  forgetOldUse,
  forgetStored,
  giveGuestBack,
  recountStored,
  takeGuest,
} from './access/quota-records'
export { Remotes, type StoredRemote, TooManyRemotesError } from './access/remotes'
export { createSeal, sealWhenNeeded } from './access/seal'
export { Shares } from './access/shares'
export { type StoredToolServer, ToolServers, TooManyServersError } from './access/tool-servers'
export { BackupFileError, type TableSum } from './admin/backup/format'
export { BackupReader } from './admin/backup/read-backup'
export { restoreBackup } from './admin/backup/restore-backup'
export { type BackupDone, refuseExisting, writeBackup } from './admin/backup/write-backup'
export { checkDatabase, findingLine } from './admin/check-database'
export { partitionTables } from './admin/partition-tables'
export type { Difference } from './admin/rebuild/compare-refs'
export { rebuild } from './admin/rebuild/rebuild'
export { type FileInfo, Files } from './files/files'
export { adoptLog, followLog, resetFollower } from './followers/follow-log'
export { followers, followSome, readBacklog } from './followers/followers'
export { Imports } from './imports/imports'
export { BisectReads } from './reads/bisect-reads'
export { ChatExports } from './reads/chat-exports'
export { ChatReads } from './reads/chat-reads'
export { ExchangeReads } from './reads/exchange-reads'
export { chatVersions } from './reads/graph'
export { ReplayReads } from './reads/replay-reads'
export { ThreadReads } from './reads/thread-reads'
export { UsageReads } from './reads/usage-reads'
export { GateFullError, type LineWork, WorkLine } from './work-line'
export { DrizzleContextStore } from './writes/drizzle-context-store'
export { ListedChats } from './writes/listed-chats'
export { RunLog } from './writes/run-log'
export { RunStore } from './writes/runs'
export { Summaries } from './writes/summaries'
export { ThreadCommands } from './writes/thread-commands'
