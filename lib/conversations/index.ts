export { inCalledChat } from './called-chat'
export { ChangeHub, type Changes } from './change-hub'
export { compare } from './compare'
export * from './errors'
export { followReply } from './follow-run'
export { LiveRuns } from './live-runs'
export * from './moves'
export type { Ports } from './ports'
export * from './read-chat'
export { ReplySlots } from './reply-slots'
export { RunLogWriter } from './run-log-writer'
export { RunQueue } from './run-queue'
export * from './run-turn'
export { plantSample } from './sample/plant-sample'
export { searchChats } from './search-chats'
export type { TurnRequest } from './start-turn'
export * from './stop-reply'
export * from './take-over-runs'
export {
  createThread,
  forkThread,
  listForks,
  listThreads,
  readThreadEvents,
  readThreadHead,
  readThreadMessages,
  sendMessage,
  type ThreadStatus,
} from './threads'
export { parseUserMessage } from './user-message'
export { type ChatNews, watchChat } from './watch-chat'
export { type ThreadNews, watchThread } from './watch-thread'
