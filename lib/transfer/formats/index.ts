import { aider } from './agents/aider'
import { claudeCode } from './agents/claude-code'
import { clineTask } from './agents/cline'
import { codex } from './agents/codex'
import { continueSession } from './agents/continue'
import { opencode } from './agents/opencode'
import { pi } from './agents/pi'
import { specStory } from './agents/specstory'
import { vscodeChat, vscodeChatLines } from './agents/vscode-chat'
import { zed } from './agents/zed'
import { agnai } from './apps/agnai'
import { bigAgi } from './apps/big-agi'
import { chatbox } from './apps/chatbox'
import { cherryStudio } from './apps/cherry-studio'
import { hfChatUi } from './apps/hf-chat-ui'
import { jan } from './apps/jan'
import { kobold } from './apps/kobold'
import { librechat } from './apps/librechat'
import { librechatCsv } from './apps/librechat-csv'
import { llamaCpp, llamaCppLines } from './apps/llama-cpp'
import { lmStudio } from './apps/lm-studio'
import { lobechat } from './apps/lobechat'
import { nextchat } from './apps/nextchat'
import { openWebui } from './apps/open-webui'
import { sillytavern } from './apps/sillytavern'
import { textGenerationWebui } from './apps/text-generation-webui'
import { typingmind } from './apps/typingmind'
import type { AnyFormat, ChatFormat, GatheredFormat, TextFormat } from './format'
import { messageChat, messageList } from './message-list'
import { assistantUi } from './records/assistant-ui'
import { langgraphHistory, langgraphThread } from './records/langgraph'
import { llmLogs } from './records/llm-logs'
import { oasstMessages, oasstTrees } from './records/oasst'
import { sharegpt } from './records/sharegpt'
import { trainingPairs } from './records/training-pairs'
import { transcript } from './records/transcript'
import { aiStudio } from './services/ai-studio'
import { chatgpt } from './services/chatgpt'
import { claude } from './services/claude'
import { deepseek } from './services/deepseek'
import { geminiHtml } from './services/gemini-html'
import { geminiTakeout } from './services/gemini-takeout'
import { grok } from './services/grok'
import { leChat } from './services/le-chat'
import { perplexityEntries, perplexityThread } from './services/perplexity'
import { qwen } from './services/qwen'

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
