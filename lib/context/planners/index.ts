export {
  type AgentLine,
  type AgentName,
  type AgentStand,
  planAgentChat,
  planAgentFailure,
  planAgentLine,
  planSteeredLine,
  planSteering,
  planSteeringTo,
} from './plan-agent-call'
export { type BisectNext, bisectNext, planBisect, planProbe, planProbeEnd } from './plan-bisect'
export { planCompact } from './plan-compact'
export { planCopy } from './plan-copy'
export { type FannedOut, type FanOutTarget, planFanOut, planKeep } from './plan-fan-out'
export { planImport, type StoredTree, type TreeMessage } from './plan-import'
export { planMemberAdded, planMemberRemoved } from './plan-members'
export { type MergeSource, type MergeWay, planMerge } from './plan-merge'
export {
  type NewId,
  type Plan,
  planArchive,
  planBtw,
  planChatUpdate,
  planCheckpoint,
  planCheckpointRemoval,
  planContext,
  planContextChange,
  planFork,
  planRename,
  planRewind,
  planSwitch,
  planTitle,
  planUnarchive,
} from './plan-moves'
export { planPick } from './plan-pick'
export {
  type NotedProposal,
  PROPOSALS,
  planProposal,
  planProposalDeclined,
  planProposalTaken,
} from './plan-proposal'
export { asReceived, planReceive, type ReceivedMessage, type ReceivingBranch } from './plan-receive'
export {
  planAnswer,
  planNextQuestion,
  planQuestion,
  planReplay,
  planReplayBranch,
  planReplayMove,
  type ReplayNext,
  type ReplayStanding,
  replayNext,
} from './plan-replay'
export {
  BrokenHistoryError,
  planRestore,
  type RestoredEvent,
  type RestoredMessage,
} from './plan-restore'
export { planForkThread, planSend } from './plan-thread'
export {
  type BranchHead,
  planEdit,
  planEnding,
  planFirstTurn,
  planRetry,
  planRun,
  planTurn,
} from './plan-turn'
export { planRedo, planUndo, planUndoAll } from './plan-undo'
