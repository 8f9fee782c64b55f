/** The programs whose exports can be imported, and how a person gets one. */
export const importSources: readonly { id: string; label: string; how: string }[] = [
  {
    id: 'chatgpt',
    label: 'ChatGPT',
    how: 'Settings → Data controls → Export data. A mail brings a link to a zip: drop it here as it is.',
  },
  {
    id: 'claude',
    label: 'Claude',
    how: 'Settings → Privacy → Export data. A mail brings a link to a zip: drop it here as it is.',
  },
  {
    id: 'open-webui',
    label: 'Open WebUI',
    how: 'Settings → Chats → Export chats. It is one JSON file.',
  },
  {
    id: 'librechat',
    label: 'LibreChat',
    how: 'Export a conversation as JSON, with all branches. CSV is read too. Several can be chosen together.',
  },
  {
    id: 'sillytavern',
    label: 'SillyTavern',
    how: 'The .jsonl files of the folder data/…/chats. Choose a chat together with its branches, and they become one chat.',
  },
  {
    id: 'llama.cpp',
    label: 'llama.cpp',
    how: 'Settings → Import/Export → Export conversations.',
  },
  {
    id: 'langgraph',
    label: 'LangGraph',
    how: 'The state history of a thread as JSON.',
  },
  {
    id: 'deepseek',
    label: 'DeepSeek',
    how: 'Settings → Data → Export data. The zip, or the conversations.json in it.',
  },
  {
    id: 'le-chat',
    label: 'Le Chat',
    how: 'The JSON files of the export that Mistral offers in its settings.',
  },
  {
    id: 'specstory',
    label: 'Cursor (SpecStory)',
    how: 'The .md files of the folder .specstory/history.',
  },
  {
    id: 'gemini',
    label: 'Gemini',
    how: 'takeout.google.com → My Activity → Gemini Apps, as JSON or HTML. Drop the zip here as it is.',
  },
  {
    id: 'ai-studio',
    label: 'Google AI Studio',
    how: 'The files of the folder Google AI Studio on Drive, one by one or in a zip.',
  },
  {
    id: 'grok',
    label: 'Grok',
    how: 'Settings → Data controls → Export account data. A mail brings a link to a zip: drop it here as it is.',
  },
  {
    id: 'qwen',
    label: 'Qwen',
    how: 'Settings → Chats → Export chats. It is one JSON file.',
  },
  {
    id: 'lm-studio',
    label: 'LM Studio',
    how: 'The .conversation.json files of the folder .lmstudio/conversations. For pictures, a zip of them with user-files.',
  },
  {
    id: 'perplexity',
    label: 'Perplexity',
    how: 'A thread as JSON, as it is exported or as its page loads it.',
  },
  {
    id: 'vscode-chat',
    label: 'VS Code Copilot',
    how: 'The command Chat: Export Chat…, or the files of a workspace’s chatSessions folder.',
  },
  {
    id: 'zed',
    label: 'Zed',
    how: 'The JSON of a text thread (.config/zed/conversations), or of a thread of the agent.',
  },
  {
    id: 'hf-chat-ui',
    label: 'Hugging Face chat-ui',
    how: 'The zip of its data export, or a conversation as JSON.',
  },
  {
    id: 'assistant-ui',
    label: 'assistant-ui',
    how: 'What export() of the thread runtime gives, as JSON.',
  },
  {
    id: 'chatbox',
    label: 'Chatbox',
    how: 'Settings → General → Data backup → Export. It is one JSON file or a zip.',
  },
  {
    id: 'lobechat',
    label: 'LobeChat',
    how: 'Settings → Storage → Export all. It is one JSON file.',
  },
  {
    id: 'typingmind',
    label: 'TypingMind',
    how: 'Settings → App data & storage → Export. It is one JSON file.',
  },
  {
    id: 'cherry-studio',
    label: 'Cherry Studio',
    how: 'Settings → Data → Backup. It is a zip: drop it here as it is.',
  },
  {
    id: 'nextchat',
    label: 'NextChat',
    how: 'Settings → Local data → Export. It is one JSON file.',
  },
  {
    id: 'big-agi',
    label: 'big-AGI',
    how: 'Chat menu → Export → Download all chats (.agi.json).',
  },
  {
    id: 'oasst',
    label: 'Open-Assistant',
    how: 'The .jsonl files of its data sets, unpacked: trees or messages.',
  },
  {
    id: 'sharegpt',
    label: 'ShareGPT',
    how: 'JSON or JSON lines with “conversations” of “from” and “value”.',
  },
  {
    id: 'training-pairs',
    label: 'Preference pairs',
    how: 'JSON lines with “chosen” and “rejected”, or a prompt with its completion, as TRL, OpenAI or LLaMA-Factory read them.',
  },
  {
    id: 'text-generation-webui',
    label: 'text-generation-webui',
    how: 'The .json files of the folder user_data/logs/chat.',
  },
  {
    id: 'kobold',
    label: 'KoboldAI',
    how: 'Save → Save to file. It is one JSON file.',
  },
  {
    id: 'llm',
    label: 'llm',
    how: 'What “llm logs --json -n 0 > logs.json” writes.',
  },
  {
    id: 'agnai',
    label: 'Agnai',
    how: 'Chat menu → Export chat. It is one JSON file.',
  },
  {
    id: 'aider',
    label: 'aider',
    how: 'The file .aider.chat.history.md of a project.',
  },
  {
    id: 'continue',
    label: 'Continue',
    how: 'The .json files of the folder .continue/sessions.',
  },
  {
    id: 'jan',
    label: 'Jan',
    how: 'The messages.jsonl files of the folder jan/threads.',
  },
  {
    id: 'cline',
    label: 'Cline',
    how: 'The ui_messages.json of a task, or its api_conversation_history.json for all that the model was sent.',
  },
  {
    id: 'transcript',
    label: 'A chat as text',
    how: 'A text that was copied from a page, with “You said:” and “ChatGPT said:”, or the text of LibreChat.',
  },
  {
    id: 'claude-code',
    label: 'Claude Code',
    how: 'The .jsonl files of ~/.claude/projects; with its sub-agents as a zip. `ramify import --agents` finds them.',
  },
  {
    id: 'codex',
    label: 'Codex',
    how: 'The rollout-….jsonl files of ~/.codex/sessions. `ramify import --agents` finds them.',
  },
  {
    id: 'opencode',
    label: 'opencode',
    how: 'opencode export SESSION writes one as JSON. `ramify import --agents` finds all.',
  },
  {
    id: 'pi',
    label: 'pi',
    how: 'The .jsonl files of ~/.pi/agent/sessions. `ramify import --agents` finds them.',
  },
  {
    id: 'messages',
    label: 'A list of messages',
    how: 'JSON in the form of OpenAI, Anthropic, Google or the AI SDK: an array of messages, or a request to a model.',
  },
]

export const importSourceName = (id: string): string =>
  id === 'ramify' ? 'Ramify' : (importSources.find((source) => source.id === id)?.label ?? id)
