import { getToolName, isToolUIPart } from 'ai'
import type { MessageData } from '@/lib/context'
import { partOf, seamsIn } from '@/lib/events'
import { type ChatMessage, fileIdOf, type SharedMessage } from '@/lib/protocol'
import { toChatMessage } from '../chats/to-chat-message'
import { fileName } from '../files/store-file'

type Part = ChatMessage['parts'][number]

/** Tools whose calls reveal things about the person: memories, and texts of other chats. */
const personal: ReadonlySet<string> = new Set(['remember', 'forget', 'search_chats'])

/**
 * A message for readers of a link: its texts, files and tool results. It leaves out everything that may
 * reveal more: instructions, thoughts (they quote instructions and memories), tools that read or change
 * memories or other chats, data of providers, and the names and ids of other branches.
 *
 * @param fileUrl the address of a stored file for these readers
 * @returns undefined for a message that is an instruction
 */
export function shownMessage(
  stored: MessageData,
  { lane, fileUrl }: { lane: number; fileUrl(fileId: string): string },
): SharedMessage | undefined {
  const { id, role, parts, metadata } = toChatMessage(stored)
  if (role === 'system') return undefined
  const { createdAt, model, speaker, status, merge, compact, finishReason } = metadata ?? {}
  const seams = seamsIn({ metadata })
  const shown = (upTo?: number) => parts.slice(0, upTo).flatMap((part) => shownPart(part, fileUrl) ?? [])
  return {
    id,
    role,
    lane,
    parts: shown(),
    metadata: {
      createdAt,
      ...(model !== undefined && { model }),
      ...(speaker !== undefined && { speaker }),
      ...(status !== undefined && { status }),
      ...(finishReason !== undefined && { finishReason }),
      // parts before a seam may be left out; the cut reply is on another branch
      ...(seams.length > 0 && {
        seams: seams.map((seam) => ({ part: shown(partOf(seam, parts)).length, at: seam.at })),
      }),
    },
    ...(merge && { note: 'merge' as const }),
    ...(compact && { note: 'summary' as const }),
  }
}

/** The stored files that a message shows, under the names it gives them: its owner may have called them otherwise elsewhere. */
export const shownFiles = (stored: MessageData): { id: string; name: string }[] =>
  toChatMessage(stored).parts.flatMap((part) => {
    const id = isFile(part) ? fileIdOf(part.url) : undefined
    if (!isFile(part) || id === undefined) return []
    return [{ id, name: fileName(typeof part.filename === 'string' ? part.filename : '') }]
  })

function shownPart(part: Part, fileUrl: (fileId: string) => string): Part | undefined {
  // an import may have brought anything
  if (typeof part !== 'object' || part === null || typeof part.type !== 'string') return undefined
  if (part.type === 'text') return { type: 'text', text: part.text }
  if (isFile(part)) {
    const fileId = fileIdOf(part.url)
    const { mediaType, filename, url } = part
    return { type: 'file', mediaType, filename, url: fileId === undefined ? url : fileUrl(fileId) }
  }
  if (part.type === 'source-url') {
    const { type, sourceId, url, title } = part
    return { type, sourceId, url, title }
  }
  if (part.type === 'source-document') {
    const { type, sourceId, mediaType, title, filename } = part
    return { type, sourceId, mediaType, title, filename }
  }
  return isToolUIPart(part) ? shownCall(part) : undefined
}

const isFile = (part: Part): part is Extract<Part, { type: 'file' }> =>
  part?.type === 'file' && typeof part.url === 'string'

/** An ended call, in words, without the person who allowed it and the notes of its provider. */
function shownCall(part: Extract<Part, { toolCallId: string }>): Part | undefined {
  if (personal.has(getToolName(part))) return undefined
  const { toolCallId, title, input } = part
  const call =
    part.type === 'dynamic-tool'
      ? { type: part.type, toolName: part.toolName, toolCallId, title, input }
      : { type: part.type, toolCallId, title, input }
  if (part.state === 'output-available') return { ...call, state: part.state, output: part.output } as Part
  if (part.state === 'output-error') return { ...call, state: part.state, errorText: part.errorText } as Part
  return undefined
}
