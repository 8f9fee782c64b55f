import type { ForeignChat, ForeignPart } from '../../foreign-chat'
import { fileIn } from '../../parts/files'
import { markdownOf } from '../../parts/html-markdown'
import { textPart } from '../../parts/read-blocks'
import type { Problems } from '../../tree/problems'
import type { SourceNode } from '../../tree/source-node'
import { type ChatContext, chatOf, madeId } from '../format'

/** A line of Google's list of activities. */
export interface Activity {
  /** The action: `Prompted`, and the words of the question. */
  title: string
  time: Date | null
  /** The reply as HTML; empty where there is none. */
  reply: string
  /** Files that were sent with the question. */
  files: readonly string[]
}

/** Questions that are further apart are two chats: the list does not say where one ends. */
const GAP_MS = 30 * 60 * 1000
const gapProblem =
  'The export does not say which questions belong together: questions less than 30 minutes apart are one chat.'

const asked = /^(?:Prompted(?: with:)?|Asked(?: (?:Gemini|Bard):)?|Said)[\s\u00a0]+/
/** Actions beside asking, as the list names them in English. */
const done =
  /^(?:Created|Used|Added|Gave|Selected|Shared|Deleted|Viewed|Visited|Edited|Pinned|Renamed|Exported|Updated)[\s\u00a0]/

export const isTogether = (one: Activity, other: Activity): boolean =>
  one.time === null || other.time === null || Math.abs(one.time.getTime() - other.time.getTime()) <= GAP_MS

/** A chat of the activities of one sitting, in whatever order they come. */
export function chatOfActivities(activities: readonly Activity[], context: ChatContext): ForeignChat {
  const { problems } = context
  const inTime = activities.toSorted(
    (one, other) => (one.time?.getTime() ?? 0) - (other.time?.getTime() ?? 0),
  )
  const nodes: SourceNode[] = []
  for (const activity of inTime) nodes.push(...nodesOf(activity, nodes.at(-1)?.id ?? null, context))
  const [first] = inTime
  if (inTime.length > 1) problems.say(gapProblem)
  const times = inTime.flatMap(({ time }) => time ?? [])
  const facts = {
    id: madeId('gemini', first?.time?.toISOString() ?? null, first?.title ?? null),
    createdAt: times[0] ?? null,
    updatedAt: times.at(-1) ?? null,
  }
  return chatOf(facts, nodes, problems, { current: nodes.at(-1)?.id ?? null })
}

/** A question and its reply; other activity is kept as a note that no model is sent. */
function nodesOf(
  { title, time, reply, files }: Activity,
  parentId: string | null,
  context: ChatContext,
): SourceNode[] {
  const id = madeId('gemini', time?.toISOString() ?? null, title)
  const common = { createdAt: time, model: null }
  const isNote = done.test(title) || (!asked.test(title) && reply.trim() === '')
  const sent = files.flatMap((file) => fileIn({ name: file, url: file }, context))
  const { text, pictures } = markdownOf(reply)
  const shown: ForeignPart[] = [
    ...textPart(text),
    ...pictures.flatMap((picture) => fileIn({ name: picture, url: picture }, context, 'Picture')),
  ]
  if (isNote)
    return [
      {
        ...common,
        id,
        parentId,
        role: 'system',
        parts: [...textPart(title), ...sent, ...shown],
        isHidden: true,
      },
    ]
  const question: SourceNode = {
    ...common,
    id,
    parentId,
    role: 'user',
    parts: [...sent, ...textPart(wordsOf(title))],
  }
  if (shown.length === 0) return [question]
  return [question, { ...common, id: `${id}-reply`, parentId: id, role: 'assistant', parts: shown }]
}

/** The words of a question: the page of another language has its own word before them, and a blank that does not break. */
function wordsOf(title: string): string {
  const words = title.replace(asked, '')
  return words === title ? title.replace(/^\S{1,20}(?: \S{1,20})?\u00a0/, '') : words
}

export const isOfGemini = (labels: readonly unknown[]): boolean =>
  labels.some((label) => typeof label === 'string' && /gemini|bard/i.test(label))

export const sayOthers = (problems: Problems, count: number): void => {
  if (count > 0)
    problems.say(
      count === 1
        ? '1 activity of the file is of another product than Gemini. It is left out.'
        : `${count.toLocaleString('en')} activities of the file are of other products than Gemini. They are left out.`,
    )
}
