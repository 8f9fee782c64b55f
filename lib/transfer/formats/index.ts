import { agnai } from './agnai'
import { aiStudio } from './ai-studio'
import { aider } from './aider'
import { assistantUi } from './assistant-ui'
import { bigAgi } from './big-agi'
import { chatbox } from './chatbox'
import { chatgpt } from './chatgpt'
import { cherryStudio } from './cherry-studio'
import { claude } from './claude'
import { claudeCode } from './claude-code'
import { clineTask } from './cline'
import { codex } from './codex'
import { continueSession } from './continue'
import { deepseek } from './deepseek'
import type { AnyFormat, ChatFormat, GatheredFormat, TextFormat } from './format'
import { geminiHtml } from './gemini-html'
import { geminiTakeout } from './gemini-takeout'
import { grok } from './grok'
import { hfChatUi } from './hf-chat-ui'
import { jan } from './jan'
import { kobold } from './kobold'
import { langgraphHistory, langgraphThread } from './langgraph'
import { leChat } from './le-chat'
import { librechat } from './librechat'
import { librechatCsv } from './librechat-csv'
import { llamaCpp, llamaCppLines } from './llama-cpp'
import { llmLogs } from './llm-logs'
import { lmStudio } from './lm-studio'
import { lobechat } from './lobechat'
import { messageChat, messageList } from './message-list'
import { nextchat } from './nextchat'
import { oasstMessages, oasstTrees } from './oasst'
import { openWebui } from './open-webui'
import { opencode } from './opencode'
import { perplexityEntries, perplexityThread } from './perplexity'
import { pi } from './pi'
import { qwen } from './qwen'
import { sharegpt } from './sharegpt'
import { sillytavern } from './sillytavern'
import { specStory } from './specstory'
import { textGenerationWebui } from './text-generation-webui'
import { trainingPairs } from './training-pairs'
import { transcript } from './transcript'
import { typingmind } from './typingmind'
import { vscodeChat, vscodeChatLines } from './vscode-chat'
import { zed } from './zed'

/** The first that recognises a value reads it, so the plainest stands last. */
export const chatFormats: readonly ChatFormat[] = [
  deepseek,
  chatgpt,
  claude,
  grok,
  aiStudio,
  qwen,
  openWebui,
  llamaCpp,
  langgraphThread,
  librechat,
  chatbox,
  lobechat,
  typingmind,
  cherryStudio,
  nextchat,
  bigAgi,
  trainingPairs,
  oasstTrees,
  sharegpt,
  textGenerationWebui,
  kobold,
  agnai,
  continueSession,
  lmStudio,
  assistantUi,
  vscodeChat,
  zed,
  perplexityThread,
  hfChatUi,
  messageChat,
]

/** Looked at before the others: a state of LangGraph is also a thread with one state. */
export const gatheredFormats: readonly GatheredFormat[] = [
  claudeCode,
  codex,
  pi,
  opencode,
  langgraphHistory,
  llamaCppLines,
  sillytavern,
  leChat,
  oasstMessages,
  llmLogs,
  jan,
  clineTask,
  geminiTakeout,
  vscodeChatLines,
  perplexityEntries,
  messageList,
]

/** Looked at before a file is taken for JSON. */
export const textFormats: readonly TextFormat[] = [specStory, aider, geminiHtml, librechatCsv, transcript]

const all: readonly AnyFormat[] = [...chatFormats, ...gatheredFormats, ...textFormats]

/** The programs whose files are read, for a sentence: `ChatGPT, Claude and lists of messages`. */
export const programs: string = new Intl.ListFormat('en').format([
  ...new Set(all.map(({ program }) => program).filter((program) => program !== messageChat.program)),
  messageChat.program,
])
