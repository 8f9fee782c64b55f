import 'server-only'

/** Advice to a model about a refusal, by its code. */
const advice: Readonly<Record<string, string>> = {
  not_found:
    'Look the ids up: list_chats has the chats, read_chat the branches of one, read_branch the messages. A chat of another person is not found either.',
  head_moved: 'Read the branch again with read_branch, then decide.',
  reply_in_progress:
    'Wait and read the branch with read_branch until its status is idle, or fork it and go on there.',
  insufficient_scope:
    'Ask the person for the missing scope: an API key that has it (Settings, API keys), or the app connected anew.',
  nothing_to_merge: 'No further call is needed.',
  name_taken: 'Choose another name, or leave it out.',
  unknown_conflict: 'Call merge with preview: true to see the ids of the conflicts.',
  empty_branch: 'Send a message to it first.',
  invalid_cursor: 'Cursors are for the tool and the arguments that returned them.',
}

/** One sentence for a code that a model can do something about. */
export const adviceFor = (code: string): string[] => {
  const found = advice[code]
  return found === undefined ? [] : [found]
}
