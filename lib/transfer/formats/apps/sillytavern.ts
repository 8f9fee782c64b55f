import type { ForeignChat, ForeignPart } from '../../foreign-chat'
import { idOf, isRecord, type Json, type JsonRecord, listAt, recordAt, textAt } from '../../json/values'
import { fileAt, filePart, type ReadContext } from '../../parts/files'
import { reasoningPart, textPart } from '../../parts/read-blocks'
import { Problems } from '../../tree/problems'
import { chainId, dateIn, type SourceNode } from '../../tree/source-node'
import { chatOf, type GatheredFormat, madeId } from '../format'

const isHeader = (value: Json): value is JsonRecord =>
  isRecord(value) &&
  !('mes' in value) &&
  ('chat_metadata' in value || ('user_name' in value && 'character_name' in value))

const isLine = (value: Json): value is JsonRecord => isRecord(value) && typeof value.mes === 'string'

/** The chat that a branch or checkpoint was made from, by the header of its file; null: it is none. */
export const mainChatOf = (first: Json): string | null =>
  isHeader(first) ? textAt(recordAt(first, 'chat_metadata'), 'main_chat') : null

/** One file of SillyTavern, before the files of its branches are laid over it. */
export interface TavernFile {
  name: string
  header: JsonRecord
  lines: Json[]
}

/** A chat of SillyTavern: a header line, then a line for each message, with its other versions in `swipes`. */
export const sillytavern: GatheredFormat = {
  source: 'sillytavern',
  program: 'SillyTavern',
  // names of files, whose chats come with them
  silent: ['extra.branches'],
  recognises: (first) => isHeader(first) || (isLine(first) && 'is_user' in first),
  gather({ findEntry, fileName }) {
    const file: TavernFile = { name: fileName, header: {}, lines: [] }
    const problems = new Problems()
    let held = 0
    return {
      problems,
      get held() {
        return held
      },
      add(value, bytes) {
        held += bytes
        if (isHeader(value) && file.lines.length === 0) file.header = value
        else file.lines.push(value)
        return null
      },
      end: () => [joinFiles([file], { problems, findEntry })],
    }
  },
}

/**
 * One chat out of a file and the files of its branches and checkpoints, which begin with a copy of its messages: ids
 * follow from the words and their place, so the copies fall together and differing messages branch off.
 */
export function joinFiles(files: readonly TavernFile[], context: ReadContext): ForeignChat {
  const [main] = files
  const nodes = new Map<string, SourceNode>()
  const branches: { name: string; headId: string }[] = []
  let [skipped, current] = [0, null as string | null]
  const hasGroup = isGroup(files)
  for (const file of files) {
    let above: string | null = null
    for (const line of file.lines) {
      if (!isLine(line)) {
        context.problems.count('no message')
        skipped += 1
        continue
      }
      const { versions, chosen } = readLine(line, above, context, hasGroup)
      for (const version of versions)
        if (version.id !== null && !nodes.has(version.id)) nodes.set(version.id, version)
      above = chosen ?? above
    }
    if (above === null) continue
    if (file === main) current = above
    if (files.length > 1) branches.push({ name: file.name, headId: above })
  }
  const header = main?.header ?? {}
  const character = textAt(header, 'character_name')
  const created = dateIn(context.problems, tavernDate(header.create_date))
  const all = [...nodes.values()]
  const name = main?.name ?? ''
  const own = idOf(recordAt(header, 'chat_metadata').integrity)
  const facts = {
    isNamedByFile: own === null,
    id: own ?? madeId('sillytavern', character, textAt(header, 'create_date'), name),
    title: name || character,
    createdAt: created ?? all.find(({ createdAt }) => createdAt)?.createdAt ?? null,
    tags: character && character !== 'unused' ? [character] : [],
  }
  return chatOf(facts, all, context.problems, { current, branches, skipped })
}

/** True: more than a person and one character speak. */
function isGroup(files: readonly TavernFile[]): boolean {
  const [persons, characters] = [new Set<string>(), new Set<string>()]
  for (const line of files.flatMap(({ lines }) => lines)) {
    const name = textAt(line, 'name')
    if (name && isLine(line) && line.is_system !== true)
      (line.is_user === true ? persons : characters).add(name)
  }
  return persons.size > 1 || characters.size > 1
}

/** The versions of a line as siblings, and the version that the chat goes on from. */
function readLine(
  line: JsonRecord,
  above: string | null,
  context: ReadContext,
  hasGroup: boolean,
): { versions: SourceNode[]; chosen: string | null } {
  const isPerson = line.is_user === true
  const extra = recordAt(line, 'extra')
  const role = extra.type === 'narrator' ? 'system' : isPerson ? 'user' : 'assistant'
  const shown = textAt(line, 'mes') ?? ''
  const place = typeof line.swipe_id === 'number' ? line.swipe_id : 0
  const swipes = listAt(line, 'swipes')
  const infos = listAt(line, 'swipe_info')
  // the text that is shown was edited after it was made into a version, or is the only one
  const texts: { text: string; info: JsonRecord }[] = swipes.flatMap((text, index) =>
    typeof text === 'string'
      ? [{ text, info: index === place ? line : isRecord(infos[index]) ? infos[index] : {} }]
      : [],
  )
  if (!texts.some(({ text }) => text === shown)) texts.push({ text: shown, info: line })
  const versions = texts.map(({ text, info }): SourceNode => {
    const about = recordAt(info, 'extra')
    const parts = [
      ...filesOf(about, context),
      ...reasoningPart(textAt(about, 'reasoning') ?? ''),
      ...textPart(text),
    ]
    return {
      id: chainId(above, `${role} ${textAt(line, 'name') ?? ''}`, text),
      parentId: above,
      role,
      parts,
      createdAt: dateIn(context.problems, tavernDate(info.send_date ?? line.send_date)),
      model: role === 'assistant' ? textAt(about, 'model') : null,
      speaker: hasGroup ? textAt(line, 'name') : null,
      isHidden: line.is_system === true,
    }
  })
  const at = texts.findIndex(({ text }) => text === shown)
  return { versions, chosen: versions[at]?.id ?? null }
}

function filesOf(extra: JsonRecord, context: ReadContext): ForeignPart[] {
  const pictures = [
    extra.image,
    ...listAt(extra, 'image_swipes'),
    ...listAt(extra, 'media').map((item) => textAt(item, 'url')),
  ]
  const shown = [
    ...new Set(pictures.filter((picture) => typeof picture === 'string' && picture !== '')),
  ] as string[]
  const files = [recordAt(extra, 'file'), ...listAt(extra, 'files')].filter(isRecord)
  return [
    ...shown.map((picture) => fileAt(context, picture, { kind: 'Picture' })),
    ...files.flatMap((file) => {
      const name = textAt(file, 'name')
      return name ? [filePart(context, { ids: [textAt(file, 'url')], name, mediaType: null })] : []
    }),
  ]
}

const spoken =
  /^(\d{4})-(\d{1,2})-(\d{1,2})\s*@\s*(\d{1,2})h\s*(\d{1,2})m(?:\s*(\d{1,2})s)?(?:\s*(\d{1,3})ms)?$/
const american = /^([A-Z][a-z]+ \d{1,2}, \d{4}) (\d{1,2}:\d\d)\s*([ap]m)$/i

/** `2023-7-12 @15h 20m 35s 123ms` and `July 12, 2023 3:20pm` in a form that others write too. */
function tavernDate(value: Json): Json {
  if (typeof value !== 'string') return value
  const parts = spoken.exec(value.trim())
  if (parts) {
    const [year, month, day, hour, minute, second, fraction] = parts.slice(1).map((part) => Number(part ?? 0))
    return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second || 0, fraction || 0)
  }
  const words = american.exec(value.trim())
  return words ? `${words[1]} ${words[2]} ${words[3]} UTC` : value
}
