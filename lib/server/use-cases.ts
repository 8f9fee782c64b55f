import 'server-only'

// What server actions may call. `app/` reaches data only through lib/server, and every function takes the owner.
export {
  archiveBranch,
  deleteChat,
  plantSample,
  removeCheckpoint,
  renameBranch,
  renameChat,
  restoreCheckpoint,
  rewind,
  saveCheckpoint,
  switchBranch,
  unarchiveBranch,
} from '@/lib/conversations'
