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
    how: 'Export a conversation as JSON, with all branches. Several can be chosen together.',
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
    id: 'messages',
    label: 'A list of messages',
    how: 'JSON in the form of OpenAI, Anthropic or the AI SDK: an array of messages with role and content.',
  },
]

export const importSourceName = (id: string): string =>
  id === 'ramify' ? 'Ramify' : (importSources.find((source) => source.id === id)?.label ?? id)
