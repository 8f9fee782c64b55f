/** A file of each program that is read, with a value where a chat has its messages, or the facts of one without messages. */
export const fileForms: Readonly<Record<string, (value: string) => string>> = {
  chatgpt: (value) => `[{"title":"Bad","mapping":${value}}]`,
  claude: (value) => `[{"uuid":"x","name":"Bad","chat_messages":${value}}]`,
  'open webui': (value) => `[{"id":"x","chat":{"history":{"messages":${value}}}}]`,
  librechat: (value) => `{"conversationId":"x","messages":${value}}`,
  sillytavern: (value) => `{"user_name":"x","character_name":"y","chat_metadata":${value}}`,
  'llama.cpp': (value) => `[{"conv":{"id":"x"},"messages":${value}}]`,
  langgraph: (value) => `{"states":[{"values":{"messages":${value}},"checkpoint":{"thread_id":"x"}}]}`,
  messages: (value) => `{"messages":${value}}`,
}

/** A file of a chat of ours with a value in it. */
export const ownForm = (value: string) => `{"format":"ramify.chat","version":1,"chat":{"a":${value}}}`

const PIECE = 1024 * 1024

function* repeated(before: string, text: string, after: string, bytes: number): Generator<string> {
  const [count, each] = [Math.ceil(bytes / text.length), Math.ceil(PIECE / text.length)]
  yield before
  for (let at = 0; at < count; at += each) yield text.repeat(Math.min(each, count - at))
  yield after
}

/** Values of about so many bytes that cost a reader more than others of that length, in pieces. */
export const hostileValues: Readonly<Record<string, (bytes: number) => Iterable<string>>> = {
  *depth(bytes) {
    yield* repeated('', '[', '', bytes / 2)
    yield* repeated('', ']', '', bytes / 2)
  },
  lists: (bytes) => repeated('[', '[],', '0]', bytes),
  objects: (bytes) => repeated('[', '{},', '0]', bytes),
  numbers: (bytes) => repeated('[', '1,', '0]', bytes),
  'one key again and again': (bytes) => repeated('{', '"a":1,', '"a":1}', bytes),
  'one text': (bytes) => repeated('"', 'x', '"', bytes),
  'a text of NULs': (bytes) => repeated('"', String.raw`\u0000`, '"', bytes),
  'a text of quotes': (bytes) => repeated('"', String.raw`\"`, '"', bytes),
  'bytes of zero': (bytes) => repeated('[', '\0', ']', bytes),
}

/** A file in pieces. */
export function* hostileFile(form: (value: string) => string, value: Iterable<string>): Generator<string> {
  const mark = 'the value'
  const [before = '', after = ''] = form(mark).split(mark)
  yield before
  yield* value
  yield after
}
