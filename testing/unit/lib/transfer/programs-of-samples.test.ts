import { describe, expect, test } from 'vitest'
import { fixture, readAll } from '@/testing/worlds/exported-files'

/** A file of each program, and the source that it is known by. */
const samples: Readonly<Record<string, string>> = {
  'formats/anthropic-request.json': 'messages',
  'formats/assistant-ui.json': 'assistant-ui',
  'formats/chat.txt': 'transcript',
  'formats/deepseek-2025.json': 'deepseek',
  'formats/gemini-api.json': 'messages',
  'formats/gemini-list.json': 'messages',
  'formats/gemini-takeout.json': 'gemini',
  'formats/grok.json': 'grok',
  'formats/hf-chatui.json': 'hf-chat-ui',
  'formats/librechat.csv': 'librechat',
  'formats/lmstudio.conversation.json': 'lm-studio',
  'formats/message-id-parent-id.json': 'messages',
  'formats/nested-children.json': 'messages',
  'formats/ollama-request.json': 'messages',
  'formats/openai-responses-request.json': 'messages',
  'formats/perplexity.json': 'perplexity',
  'formats/qwen.json': 'qwen',
  'formats/vscode-chat.json': 'vscode-chat',
  'formats/zed.json': 'zed',
  'formats/agnai.json': 'agnai',
  'formats/aider.md': 'aider',
  'formats/betterchatgpt.json': 'messages',
  'formats/big-agi-v1.json': 'big-agi',
  'formats/big-agi.agi.json': 'big-agi',
  'formats/chatbot-ui.json': 'messages',
  'formats/chatbox.json': 'chatbox',
  'formats/cherry-studio.json': 'cherry-studio',
  'formats/cline-api-history.json': 'messages',
  'formats/continue-session.json': 'continue',
  'formats/dpo.jsonl': 'training-pairs',
  'formats/finetune.jsonl': 'messages',
  'formats/jan-messages.jsonl': 'jan',
  'formats/kobold.json': 'kobold',
  'formats/llm-logs.json': 'llm',
  'formats/lobechat.json': 'lobechat',
  'formats/nextchat-backup.json': 'nextchat',
  'formats/oasst-tree.jsonl': 'oasst',
  'formats/openai-preference.jsonl': 'training-pairs',
  'formats/sharegpt.jsonl': 'sharegpt',
  'formats/tgwebui.json': 'text-generation-webui',
  'formats/typingmind.json': 'typingmind',
  'faults/02-list-with-children.json': 'messages',
  'faults/03a-list-message_id-parent_message_id.json': 'messages',
  'faults/03b-hf-chat-ui-ancestors.json': 'hf-chat-ui',
  'faults/05a-open-webui-before.json': 'open-webui',
  'faults/06-chatgpt-hidden.json': 'chatgpt',
  'faults/07-deepseek-official.json': 'deepseek',
  'faults/09-claude-search-sources.json': 'claude',
  'faults/11-librechat-undated-tail.json': 'librechat',
  'faults/12-sillytavern-group.jsonl': 'sillytavern',
  'faults/13-gemini-cli.json': 'messages',
  'faults/14a-ollama-images.json': 'messages',
  'faults/14b-le-chat.json': 'le-chat',
  'faults/14c-chatbot-ui-prompt-model.json': 'messages',
  'faults/16-open-webui-code-status.json': 'open-webui',
  'faults/18-list.json': 'messages',
  'ai-sdk.json': 'messages',
  'chatgpt.json': 'chatgpt',
  'claude.json': 'claude',
  'langgraph.json': 'langgraph',
  'librechat-recursive.json': 'librechat',
  'llama-cpp.jsonl': 'llama.cpp',
  'open-webui.json': 'open-webui',
  'openai.jsonl': 'messages',
}

/** Bytes after which a download may break off. */
const PIECE = 997

describe.each(Object.entries(samples))('%s', (name, source) => {
  test(`is of ${source}`, async () => {
    const found = await readAll(name, fixture(name))
    expect(found.source).toBe(source)
    expect(found.chats.length).toBeGreaterThan(0)
  })

  test('that is cut off is read as far as it goes, and says so, or is refused in words', async () => {
    const whole = fixture(name)
    const all = await readAll(name, whole)
    const messages = ({ chats }: typeof all) => chats.reduce((sum, chat) => sum + chat.counts.found, 0)
    // of a short file a tenth
    const piece = Math.min(PIECE, Math.ceil(whole.length / 10))
    const ends: number[] = []
    for (let end = piece; end < whole.length; end += piece) ends.push(end)
    for (const end of ends) {
      const cut = await readAll(name, whole.subarray(0, end)).catch((error: unknown) => error)
      if (cut instanceof Error) {
        expect(cut.name, `${end}: ${cut.message}`).toBe('UnreadableExportError')
        continue
      }
      const { chats, problems } = cut as typeof all
      const said = problems.length + chats.reduce((sum, chat) => sum + chat.problems.length, 0)
      // what ends between two lines or chats cannot be told from what is whole
      const endsWhole =
        /[\]}\n\r]\s*,?\s*$/.test(whole.toString('utf8', 0, end)) || /\.(?:txt|md|jsonl)$/.test(name)
      expect(said > 0 || endsWhole || messages(cut as typeof all) === messages(all), `cut at ${end}`).toBe(
        true,
      )
    }
  })
})
