import { FIRST_NAME } from '@/lib/events/branch-name'
import { branchTitle, type GraphIndex, indexGraph } from '@/lib/graph'
import type { Graph } from '@/lib/protocol'
import { oneLine, plain } from '../draw/plain'
import { CommandError } from '../errors'
import { ShortIds } from './short-ids'

type Node = Graph['nodes'][number]
type Branch = Graph['branches'][number]

/** Place that a text on the command line names. */
export interface NamedPlace {
  kind: 'branch' | 'checkpoint' | 'message'
  branch?: Branch
  checkpoint?: Graph['checkpoints'][number]
  /** null for a branch without a message */
  node: Node | null
}

/** Names that a refusal lists. */
const LISTED = 8

/** A chat as of its reading, which resolves names in it. */
export class OpenChat {
  readonly index: GraphIndex
  readonly ids: ShortIds

  constructor(readonly graph: Graph) {
    this.index = indexGraph(graph)
    this.ids = new ShortIds(graph.nodes.map(({ id }) => id))
  }

  get id(): string {
    return this.graph.chatId
  }

  /** The branch that the chat opens on. */
  get head(): Branch {
    const branch = this.index.branch(this.graph.activeBranchId)
    if (!branch) throw new CommandError('The chat has no branch that it opens on.')
    return branch
  }

  /**
   * `HEAD` or `@`, a branch by its name or title, a checkpoint by its name, a message or a branch by its id; and so many
   * messages above it: `HEAD~2`, `main^`.
   *
   * @throws CommandError when it names nothing, or several things
   */
  resolve(text: string): NamedPlace {
    const found = this.#named(text)
    if (found) return found
    const [, base = '', above = ''] = /^(.*?)((?:~\d*|\^)+)$/.exec(text) ?? []
    const place = base === '' ? undefined : this.#named(base)
    if (!place) throw new CommandError(this.#unknown(base || text))
    return { kind: 'message', node: this.#above(place, above, text) }
  }

  /** As `resolve`, of a branch. */
  branch(text: string): Branch {
    const { branch } = this.resolve(text)
    if (!branch) throw new CommandError(`“${plain(text)}” is not a branch. ${this.#branchList()}`)
    return branch
  }

  /** As `resolve`, of a message: the last one of a branch. */
  message(text: string): Node {
    const { node } = this.resolve(text)
    if (!node) throw new CommandError(`Branch “${plain(text)}” has no message yet.`)
    return node
  }

  /** A branch whose chain holds a message: preferably the one being read. */
  branchHolding(node: Node): Branch {
    const branch = this.index.branchHolding(node.id, this.graph.activeBranchId)
    if (!branch) throw new CommandError(`No branch holds message ${this.ids.of(node.id)}.`)
    return branch
  }

  /** The first branch is called by its name here: “Main line” would say it twice. */
  titleOf(branch: Branch): string {
    return branch.name === FIRST_NAME ? branch.name : branchTitle(this.index, branch.id)
  }

  /** A branch in a line of text: its name, and its title when that adds something. */
  called(branch: Branch): string {
    const title = this.titleOf(branch)
    return title === branch.name ? plain(branch.name) : `${plain(branch.name)} (${oneLine(title, 48)})`
  }

  #named(text: string): NamedPlace | undefined {
    if (text === 'HEAD' || text === '@') return this.#atBranch(this.head)
    const { branches, checkpoints } = this.graph
    const named = branches.find(({ name }) => name === text)
    if (named) return this.#atBranch(named)
    const checkpoint = checkpoints.find(({ name }) => name === text)
    if (checkpoint) {
      return { kind: 'checkpoint', checkpoint, node: this.index.byId(checkpoint.messageId) ?? null }
    }
    const [id, ...others] = [...new Set([...this.ids.meant(text), ...this.#branchIds(text)])]
    if (others.length > 0) {
      throw new CommandError(
        `“${plain(text)}” could be ${[id, ...others].slice(0, LISTED).join(' or ')}: give more of the id.`,
      )
    }
    if (id !== undefined) {
      const node = this.index.byId(id)
      const branch = this.index.branch(id)
      return node ? { kind: 'message', node } : branch && this.#atBranch(branch)
    }
    const titled = branches.filter(
      (branch) => this.titleOf(branch).toLowerCase() === text.trim().toLowerCase(),
    )
    return titled.length === 1 && titled[0] ? this.#atBranch(titled[0]) : undefined
  }

  #branchIds(text: string): string[] {
    return new ShortIds(this.graph.branches.map(({ id }) => id)).meant(text)
  }

  #atBranch(branch: Branch): NamedPlace {
    return {
      kind: 'branch',
      branch,
      node: branch.headId === null ? null : (this.index.byId(branch.headId) ?? null),
    }
  }

  #above({ node }: NamedPlace, above: string, text: string): Node {
    const steps = [...above.matchAll(/~(\d*)|\^/g)].reduce(
      (sum, [, count]) => sum + (count ? Number(count) : 1),
      0,
    )
    const depth = node ? node.depth - steps : -1
    if (!node || depth < 0) {
      const length = (node?.depth ?? -1) + 1
      throw new CommandError(
        `“${plain(text)}” is above the first message: only ${length} ${length === 1 ? 'stands' : 'stand'} there.`,
      )
    }
    for (const { lane, top } of this.index.stretches(node)) {
      if (top < depth) break
      const found = this.index.at(lane, depth)
      if (found) return found
    }
    throw new CommandError(this.#unknown(text))
  }

  #unknown(text: string): string {
    return `There is no branch, checkpoint or message “${plain(text)}” in this chat. ${this.#branchList()}`
  }

  #branchList(): string {
    const names = this.graph.branches
      .filter(({ archivedAt }) => archivedAt === null)
      .map(({ name }) => plain(name))
    const more = names.length > LISTED ? ` and ${names.length - LISTED} more (ramify branch)` : ''
    return `Its branches: ${names.slice(0, LISTED).join(', ')}${more}.`
  }
}
