export {
  type NewId,
  type Plan,
  planArchive,
  planBtw,
  planChatUpdate,
  planCheckpoint,
  planCheckpointRemoval,
  planFork,
  planRename,
  planRewind,
  planSwitch,
  planTitle,
  planUnarchive,
} from './plan-moves'
export {
  type BranchHead,
  planEdit,
  planEnding,
  planFirstTurn,
  planRetry,
  planRun,
  planTurn,
} from './plan-turn'
