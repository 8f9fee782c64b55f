export { inCalledChat } from './chats/called-chat'
export { compare } from './chats/compare'
export { changeContext, readContext } from './chats/context'
export * from './chats/moves'
export * from './chats/read-chat'
export { readPrompt } from './chats/read-prompt'
export * from './errors'
export { fillFiles } from './files/fill-files'
export { storeFile } from './files/store-file'
export type { Ports } from './ports'
export { followReply } from './replies/follow-run'
export { LiveRuns } from './replies/live-runs'
export { patiently } from './replies/patiently'
export { ReplySlots } from './replies/reply-slots'
export { RunLogWriter } from './replies/run-log-writer'
export { RunQueue } from './replies/run-queue'
export * from './replies/stop-reply'
export * from './replies/take-over-runs'
export { plantSample } from './sample/plant-sample'
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
export * from './turns/run-turn'
export type { TurnRequest } from './turns/start-turn'
export { parseUserMessage } from './turns/user-message'
export { readChatUsage, readUsage } from './usage/read-usage'
export { ChangeHub, type Changes } from './watch/change-hub'
export { type ChatNews, watchChat } from './watch/watch-chat'
export { watchThread } from './watch/watch-thread'
