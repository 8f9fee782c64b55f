import 'server-only'

// What routes and actions may call. `app/` reaches data only through here, and every function takes the owner.
export {
  archiveBranch,
  deleteChat,
  followReply,
  listChats,
  plantSample,
  readChat,
  readGraph,
  readWindow,
  removeCheckpoint,
  renameBranch,
  renameChat,
  restoreCheckpoint,
  rewind,
  saveCheckpoint,
  stopReply,
  switchBranch,
  unarchiveBranch,
} from '@/lib/conversations'
