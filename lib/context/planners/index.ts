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
  planUnarchive,
} from './plan-moves'
export { planEdit, planEnding, planFirstTurn, planRetry, planRun, planTurn, type Standing } from './plan-turn'
