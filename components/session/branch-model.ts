import { useApp } from '@/components/app/app-context'
import { useStored } from '@/components/ui/stored-value'
import type { BranchId, ChatId } from '@/lib/events'
import { type GraphIndex, replayOn } from '@/lib/graph'
import type { GraphBranch } from '@/lib/protocol'

/** Branches whose choice is kept. */
const MOST = 200

/** What a choice is kept for: a branch, or the chat of one that came from no other. */
type Place = BranchId | ChatId
type Choices = readonly (readonly [Place, string])[]

/** Choices as they are kept, the latest last. Anything else that stands there counts as none. */
export function readChoices(stored: string): Choices {
  try {
    const value: unknown = JSON.parse(stored)
    return Array.isArray(value) ? value.filter(isChoice) : []
  } catch {
    return []
  }
}

const isChoice = (value: unknown): value is Choices[number] =>
  Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string')

/** Choices with one more. */
export const withChoice = (choices: Choices, place: Place, model: string): Choices =>
  [...choices.filter(([kept]) => kept !== place), [place, model] as const].slice(-MOST)

/** The first branch of a new chat has another id once it is stored, so its choice is kept for the chat. */
export const placeOf = (index: GraphIndex, branchId: BranchId): Place =>
  index.branch(branchId)?.parentBranchId ? branchId : index.graph.chatId

/**
 * The model of a branch: the one chosen on it, or that its replay or its agent was asked with, or that of the nearest branch it came from
 * where one is still offered.
 *
 * @param otherwise for a branch without a choice
 */
export function modelOfBranch(
  index: GraphIndex,
  branchId: BranchId,
  choices: Choices,
  isOffered: (model: string) => boolean,
  otherwise: string,
): string {
  const chosen = new Map(choices)
  // a branch comes from an older one: the way ends
  for (let at: BranchId | null = branchId; at !== null; at = index.branch(at)?.parentBranchId ?? null) {
    const agent = index.graph.agents?.find(({ branchId: on }) => on === at)
    const model = chosen.get(placeOf(index, at)) ?? replayOn(index.graph, at)?.model ?? agent?.model
    if (model && isOffered(model)) return model
  }
  return otherwise
}

/** The model that the next message of a branch goes to, and the way to choose another. New chats begin with the last choice. */
export function useBranchModel(index: GraphIndex, branchId: BranchId): [string, (model: string) => void] {
  const { models, model: last, setModel } = useApp()
  const [stored, store] = useStored('ramify-branch-models', '[]')
  const choices = readChoices(stored)
  const model = modelOfBranch(index, branchId, choices, (id) => models.some((known) => known.id === id), last)
  return [
    model,
    (next) => {
      setModel(next)
      store(JSON.stringify(withChoice(choices, placeOf(index, branchId), next)))
    },
  ]
}

/** The way to note the models that several branches go on with. */
export function useChooseModels(): (
  chatId: ChatId,
  chosen: readonly { branch: Pick<GraphBranch, 'id' | 'parentBranchId'>; model: string }[],
) => void {
  const [stored, store] = useStored('ramify-branch-models', '[]')
  return (chatId, chosen) => {
    const next = chosen.reduce(
      (choices, { branch, model }) => withChoice(choices, branch.parentBranchId ? branch.id : chatId, model),
      readChoices(stored),
    )
    store(JSON.stringify(next))
  }
}
