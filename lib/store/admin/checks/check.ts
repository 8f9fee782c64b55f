/** The remedy for a finding, in one sentence. */
export const advice = {
  objects: 'Messages and events are never repaired in place: restore this chat from a backup.',
  refs: 'Run `npm run db:rebuild`: it sets this again as the log says.',
  runs: 'End the run that is wrong, or restore this chat from a backup.',
  files: 'Give the file to the owner of its chat (`files.owner_id`), or restore this chat from a backup.',
  links: 'Add the row to chat_files: without it the file is deleted with another chat.',
  agents: 'Delete the row of agent_nodes: the agent’s next call is stored anew.',
  stored: 'Run `npm run db:rebuild`: what is wrong is forgotten, and worked out again by the next write.',
  search:
    'Delete the rows of this chat in search_progress and message_search: the next search fills them again.',
} as const

/** One invariant (DESIGN.md §3, RELIABILITY.md) and the statement that finds violations of it. */
export interface Check {
  invariant: string
  advice: string
  /**
   * Selects `chat`, `thing` and `problem` of everything that breaks the invariant: one statement for all chats, so it
   * sees one moment of a database in use.
   *
   * @param within narrows a column that holds a chat's id to the chat asked for
   */
  sql(within: (column: string) => string): string
}
