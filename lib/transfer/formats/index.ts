import { chatgpt } from './chatgpt'
import { claude } from './claude'
import type { ChatFormat, GatheredFormat } from './format'
import { langgraphHistory, langgraphThread } from './langgraph'
import { librechat } from './librechat'
import { llamaCpp, llamaCppLines } from './llama-cpp'
import { messageChat, messageList } from './message-list'
import { openWebui } from './open-webui'
import { sillytavern } from './sillytavern'

/** The first that recognises a value reads it, so the plainest stands last. */
export const chatFormats: readonly ChatFormat[] = [
  chatgpt,
  claude,
  openWebui,
  llamaCpp,
  langgraphThread,
  librechat,
  messageChat,
]

/** Looked at before the others: a state of LangGraph is also a thread with one state. */
export const gatheredFormats: readonly GatheredFormat[] = [
  langgraphHistory,
  llamaCppLines,
  sillytavern,
  messageList,
]
