export { Turns } from '@/lib/transfer'
export { askAndWait, type ReplyProgress } from './agents/ask-and-wait'
export { forkBranch } from './agents/fork-branch'
export { readBranch, readBranchPlace, readOutline } from './agents/read-branch'
export { readBisects, startBisect, steerBisect } from './bisects/bisects'
export { type CalledChat, inCalledChat } from './chats/called-chat'
export {
  changeChat,
  changeChats,
  deleteChats,
  listChats,
  listTags,
  readChatSummary,
} from './chats/chat-list'
export { compare } from './chats/compare'
export { changeContext, chooseModel, listContexts, readContext, readNewContext } from './chats/context'
export { leaveMessagesOut } from './chats/leave-out'
export * from './chats/moves'
export * from './chats/read-chat'
export { readPrompt } from './chats/read-prompt'
export * from './chats/undo'
export * from './errors'
export { packChat, readChatRefs, receivePush } from './exchange/answer-exchange'
export { cloneChat } from './exchange/clone-chat'
export {
  ClonedAlreadyError,
  DivergedObjectsError,
  NotFastForwardError,
  OtherOriginError,
  PackRefusedError,
} from './exchange/errors'
export { type Exchange, exchangeState } from './exchange/exchange-state'
export { fetchChat } from './exchange/fetch-chat'
export { pullChat } from './exchange/pull-chat'
export { pushChat } from './exchange/push-chat'
export type { RemoteServer } from './exchange/remote-server'
export { exportAll, exportChat } from './exports/export-chat'
export { type ArchiveEntry, zipStream } from './exports/zip-stream'
export { fillFiles } from './files/fill-files'
export { keepFile } from './files/keep-file'
export { storeFile } from './files/store-file'
export { type BegunCall, beginCall, type CallRequest, knowsResponse } from './gateway/begin-call'
export { ownConversation } from './gateway/own-conversation'
export { recallOwn, rewindOwn, undoOwn } from './gateway/own-moves'
export { beginTitle } from './gateway/session-title'
export { callTokens } from './gateway/spent-tokens'
export { steerAgent, steerTo, stopSteering } from './gateway/steer-agent'
export type { AgentPorts } from './gateway/store-line'
export { driveImport } from './imports/drive-import'
export * from './imports/imports'
export { openImport } from './imports/open-import'
export { previewImport } from './imports/preview-import'
export { readChatFile } from './imports/read-chat-file'
export { restoreChat } from './imports/restore-chat'
export { copyAsMember, listSharedChats, lookAtInvitation, takeInvitation } from './members/join-chat'
export { changeRole, inviteMember, listMembers, removeMember } from './members/manage-members'
export type { JoiningPorts } from './members/members-port'
export * from './merging/compact-branch'
export * from './merging/merge-branches'
export * from './merging/pick-messages'
export type { Ports } from './ports'
export { ProposalRefusedError, proposalRefusals } from './proposals/errors'
export { openProposal, updateProposal } from './proposals/open-proposal'
export type { ProposingPorts } from './proposals/proposals-port'
export { commentOnProposal, listProposals, type SeenProposal } from './proposals/read-proposals'
export { declineProposal, takeProposal } from './proposals/settle-proposal'
export { driveDue } from './replays/drive-due'
export { readReplays } from './replays/read-replays'
export { previewReplay, replayThread, startReplay } from './replays/start-replay'
export { steerReplay } from './replays/steer-replay'
export { followReplies } from './replies/follow-replies'
export { followReply } from './replies/follow-run'
export { LiveRuns } from './replies/live-runs'
export { patiently } from './replies/patiently'
export { PrefixLeads } from './replies/prefix-leads'
export { ReplySlots } from './replies/reply-slots'
export { RunLogWriter } from './replies/run-log-writer'
export { RunQueue } from './replies/run-queue'
export * from './replies/stop-reply'
export * from './replies/take-over-runs'
export { plantSample } from './sample/plant-sample'
export { drawShare, type SharePicture } from './shares/draw-share'
export { findInShare } from './shares/find-in-share'
export { forkShare } from './shares/fork-share'
export { listShares, makeShare } from './shares/make-share'
export {
  findSharedFile,
  readShare,
  readSharedGraph,
} from './shares/read-share'
export type { SharingPorts } from './shares/shares-port'
export { fanOutOnce, keepThreadOnce } from './threads/fan-out-command'
export { moveThreadOnce, type ThreadMove } from './threads/move-commands'
export {
  createThread,
  forkThread,
  listForks,
  listThreads,
  readThreadEvents,
  readThreadHead,
  readThreadMessages,
  sendMessage,
} from './threads/threads'
export { Titles } from './titles/titles'
export { fanOut, type Target } from './turns/fan-out'
export { keepBranch } from './turns/keep-branch'
export * from './turns/run-turn'
export type { TurnRequest } from './turns/start-turn'
export { parseUserMessage } from './turns/user-message'
export { readChatUsage, readUsage } from './usage/read-usage'
export { ChangeHub, type Changes } from './watch/change-hub'
export { type ChatNews, watchChat } from './watch/watch-chat'
export { watchThread } from './watch/watch-thread'
