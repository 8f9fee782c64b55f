import { aiStudio } from './ai-studio'
import { assistantUi } from './assistant-ui'
import { chatgpt } from './chatgpt'
import { claude } from './claude'
import { claudeCode } from './claude-code'
import { codex } from './codex'
import { deepseek } from './deepseek'
import type { AnyFormat, ChatFormat, GatheredFormat, TextFormat } from './format'
import { geminiHtml } from './gemini-html'
import { geminiTakeout } from './gemini-takeout'
import { grok } from './grok'
import { hfChatUi } from './hf-chat-ui'
import { langgraphHistory, langgraphThread } from './langgraph'
import { leChat } from './le-chat'
import { librechat } from './librechat'
import { librechatCsv } from './librechat-csv'
import { llamaCpp, llamaCppLines } from './llama-cpp'
import { lmStudio } from './lm-studio'
import { messageChat, messageList } from './message-list'
import { openWebui } from './open-webui'
import { opencode } from './opencode'
import { perplexityEntries, perplexityThread } from './perplexity'
import { pi } from './pi'
import { qwen } from './qwen'
import { sillytavern } from './sillytavern'
import { specStory } from './specstory'
import { transcript } from './transcript'
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
  geminiTakeout,
  vscodeChatLines,
  perplexityEntries,
  messageList,
]

/** Looked at before a file is taken for JSON. */
export const textFormats: readonly TextFormat[] = [specStory, geminiHtml, librechatCsv, transcript]

const all: readonly AnyFormat[] = [...chatFormats, ...gatheredFormats, ...textFormats]

/** The programs whose files are read, for a sentence: `ChatGPT, Claude and lists of messages`. */
export const programs: string = new Intl.ListFormat('en').format([
  ...new Set(all.map(({ program }) => program).filter((program) => program !== messageChat.program)),
  messageChat.program,
])
