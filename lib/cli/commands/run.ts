import { defineCommand } from '../command'

export const run = defineCommand({
  name: 'run',
  summary: 'runs an agent, or any command, through Ramify: what it says becomes a chat',
  usage: ['[--open] [--mcp] [--keep] -- COMMAND [ARGUMENT…]'],
  details: [
    'COMMAND is claude, codex, opencode, qwen, or any other one: it gets the address and a key of Ramify in the form that it reads, and keeps its own login where it has one. Its streams, signals and exit code are its own.',
    'Without a running server one is started. It serves every run of this machine, and ends with the last of them; with --keep it stays. Where people sign in, the key is that of RAMIFY_API_KEY.',
  ].join('\n'),
  options: {
    open: { type: 'boolean', help: 'open the chat in the browser, once the command has said something' },
    mcp: {
      type: 'boolean',
      help: 'give the agent the tools of Ramify, too: it bookmarks, recalls and rewinds its own conversation',
    },
    keep: { type: 'boolean', help: 'leave the server running that this command has started' },
  },
  args: { least: 1, most: Number.POSITIVE_INFINITY },
  examples: [
    'ramify run -- claude',
    'ramify run --open -- codex exec "Mend the tests"',
    'ramify run -- python agent.py',
  ],
  // loaded when it runs: help does without the code of a folder
  run: async (call) => (await import('../run/run-client')).runClient(call),
})
