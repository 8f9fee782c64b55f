/** Problems that many messages of one chat can have: said once, with their number. */
const wordsOf = {
  orphan: (n: number) =>
    n === 1
      ? '1 message hangs on a message that the file does not hold. It begins a branch of its own.'
      : `${many(n)} messages hang on messages that the file does not hold. Each begins a branch of its own.`,
  cycle: (n: number) =>
    n === 1
      ? '1 message is its own ancestor. It begins a branch of its own, so the circle is cut.'
      : `${many(n)} messages are their own ancestors. Each begins a branch of its own, so the circles are cut.`,
  renamed: (n: number) =>
    n === 1
      ? '1 message has the id of another, with other content. It is kept under a new id.'
      : `${many(n)} messages have the ids of others, with other content. They are kept under new ids.`,
  merged: (n: number) =>
    n === 1
      ? '1 message stands in the file a second time. It is kept once.'
      : `${many(n)} messages stand in the file again. They are kept once.`,
  'wrong date': (n: number) =>
    n === 1
      ? '1 time is none that can be read. It is left out.'
      : `${many(n)} times are none that can be read. They are left out.`,
  'no content': (n: number) =>
    n === 1
      ? '1 message has no content. It is left out, and what follows hangs on the message before.'
      : `${many(n)} messages have no content. They are left out, and what follows hangs on the message before.`,
  'no message': (n: number) =>
    n === 1
      ? '1 entry among the messages is none. It is left out.'
      : `${many(n)} entries among the messages are none. They are left out.`,
  'unknown role': (n: number) =>
    n === 1
      ? '1 message has a role that is not known here. It is kept as a reply.'
      : `${many(n)} messages have roles that are not known here. They are kept as replies.`,
  'unknown content': (n: number) =>
    n === 1
      ? '1 part is of a kind that is not known here. It is kept as JSON in the text.'
      : `${many(n)} parts are of kinds that are not known here. They are kept as JSON in the text.`,
  'missing file': (n: number) =>
    n === 1
      ? '1 file is named but is not part of the export. The text says where it was.'
      : `${many(n)} files are named but are not part of the export. The text says where they were.`,
  'missing order': (n: number) =>
    n === 1
      ? '1 message does not say what it follows. It follows the one before it in the file.'
      : `${many(n)} messages do not say what they follow. Each follows the one before it in the file.`,
  'tool definition': (n: number) =>
    n === 1
      ? 'The definition of 1 tool is left out: connect the tool here to call it again.'
      : `The definitions of ${many(n)} tools are left out: connect the tools here to call them again.`,
  'repaired text': () =>
    'The chat has bytes that are no valid UTF-8, or characters that cannot be stored. Each is replaced by \u{fffd}.',
} as const

export type ProblemKind = keyof typeof wordsOf

const many = (n: number) => n.toLocaleString('en')

/** The problems of a chat: each kind once, in the order in which it was met. */
export class Problems {
  readonly #counts = new Map<ProblemKind, number>()
  readonly #said = new Set<string>()

  count(kind: ProblemKind, by = 1): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + by)
  }

  say(sentence: string): void {
    this.#said.add(sentence)
  }

  get sentences(): string[] {
    return [...[...this.#counts].map(([kind, n]) => wordsOf[kind](n)), ...this.#said]
  }
}
