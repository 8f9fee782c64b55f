import 'server-only'

// Use cases for server actions. `app/` reaches data only through lib/server; every function takes the owner.
export {
  archiveBranch,
  chooseModel,
  compactBranch,
  deleteChat,
  fanOut,
  keepBranch,
  leaveMessagesOut,
  mergeBranches,
  parseUserMessage,
  pickMessages,
  plantSample,
  redoMove,
  removeCheckpoint,
  renameBranch,
  renameChat,
  restoreCheckpoint,
  rewind,
  saveCheckpoint,
  startReplay,
  steerReplay,
  steerTo,
  stopSteering,
  switchBranch,
  unarchiveBranch,
  undoMove,
} from '@/lib/conversations'
export { presetContent } from '@/lib/protocol/context'
export { takeProposal } from './pages/take-proposal'
