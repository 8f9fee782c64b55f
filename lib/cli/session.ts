import type { ChatMessage, ChatSummary } from '@/lib/protocol'
import type { ChatsPort } from './backs/chats-port'
import { oneLine, plain } from './draw/plain'
import { CommandError } from './errors'
import type { Heads } from './refs/heads'
import { OpenChat } from './refs/open-chat'
import { ShortIds } from './refs/short-ids'

/** Messages that are read at once. */
const PAGE = 200
/** Chats that are looked through for a beginning or an end of an id. */
const SEARCHED = 2000

const noChat =
  'No chat is chosen. `ramify log` lists them; `ramify checkout CHAT` chooses one, `ramify chat TEXT` begins one.'

/** An opened place, with the chat that commands are about. */
export class Session {
  constructor(
    readonly port: ChatsPort,
    private readonly heads: Heads,
    private readonly options: {
      /** the place's key in the remembered heads */
      key: string
      /** the chat that `--chat` names */
      chat?: string | undefined
    },
  ) {}

  /** The id of the current chat; undefined when none is chosen. */
  get current(): string | undefined {
    return this.heads.read(this.options.key).chat
  }

  /** Makes a chat the current one, from the next command on too. */
  choose(chatId: string): void {
    const { key } = this.options
    this.heads.write(key, { ...this.heads.read(key), chat: chatId })
  }

  /** True when a chat is meant without being named by the command itself. */
  get hasChat(): boolean {
    return (this.options.chat ?? this.current) !== undefined
  }

  /**
   * The chat that `--chat` names, else the current one. @throws CommandError when there is none, or it was
   * deleted
   */
  async openChat(): Promise<OpenChat> {
    const { chat } = this.options
    if (chat !== undefined) return this.findChat(chat)
    const { current } = this
    if (current === undefined) throw new CommandError(noChat)
    const graph = await this.port.readGraph(current)
    if (!graph) {
      throw new CommandError(
        `The current chat, ${plain(current)}, is not in ${this.port.place} any more. ${noChat}`,
      )
    }
    return new OpenChat(graph)
  }

  /**
   * A chat by its id, by a beginning or an end of it, or by its title.
   *
   * @throws CommandError when no chat or several match
   */
  async findChat(text: string): Promise<OpenChat> {
    const exact = await this.port.readGraph(text)
    if (exact) return new OpenChat(exact)
    const chats = await this.#allChats()
    const meant = new ShortIds(chats.map(({ id }) => id)).meant(text)
    const titled = chats.filter(({ title }) => title?.toLowerCase() === text.trim().toLowerCase())
    const [id, ...others] = meant.length > 0 ? meant : titled.map((chat) => chat.id)
    if (id === undefined) {
      throw new CommandError(
        `There is no chat “${plain(text)}” in ${this.port.place}. \`ramify chats\` lists them.`,
      )
    }
    if (others.length > 0) {
      const lines = [id, ...others].slice(0, 8).map((one) => {
        return `\n  ${one}  ${oneLine(chats.find((chat) => chat.id === one)?.title ?? 'Untitled')}`
      })
      throw new CommandError(`“${plain(text)}” could be several chats: give more of the id.${lines.join('')}`)
    }
    const graph = await this.port.readGraph(id)
    if (!graph) throw new CommandError(`The chat ${plain(id)} is gone.`)
    return new OpenChat(graph)
  }

  /** The chats of a list, page by page. */
  async *chats(archived = false): AsyncGenerator<ChatSummary> {
    let cursor: string | undefined
    do {
      const page = await this.port.listChats({ archived, limit: 100, ...(cursor && { cursor }) })
      yield* page.chats
      cursor = page.next ?? undefined
    } while (cursor)
  }

  async #allChats(): Promise<ChatSummary[]> {
    const found: ChatSummary[] = []
    for (const archived of [false, true]) {
      for await (const chat of this.chats(archived)) {
        found.push(chat)
        if (found.length >= SEARCHED) return found
      }
    }
    return found
  }

  /** A message with its parts. */
  async readMessage(chat: OpenChat, node: { id: string; depth: number }): Promise<ChatMessage> {
    const found = chat.index.byId(node.id)
    const { id: branch } = chat.branchHolding(found ?? chat.message(node.id))
    const { messages } = await this.port.readWindow(chat.id, { branch, before: node.depth + 1, limit: 1 })
    const [message] = messages
    if (message?.id !== node.id) throw new CommandError(`Message ${node.id} is gone.`)
    return message
  }

  /** The messages of a branch from a depth on, root first. */
  async readBranch(chat: OpenChat, branch: { id: string }, from: number): Promise<ChatMessage[]> {
    const read: ChatMessage[] = []
    for (let before: number | undefined; ; ) {
      const page = await this.port.readWindow(chat.id, {
        branch: branch.id,
        limit: PAGE,
        ...(before !== undefined && { before }),
      })
      read.unshift(...page.messages.slice(Math.max(0, from - page.start)))
      if (page.start <= from || page.messages.length === 0) return read
      before = page.start
    }
  }
}
