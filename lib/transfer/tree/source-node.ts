import { createHash } from 'node:crypto'
import type { ForeignPart } from '../foreign-chat'
import { dateOf, type Json, jsonText } from '../json/values'
import type { Problems } from './problems'

export type ToolPart = Extract<ForeignPart, { type: 'dynamic-tool' }>

/** A tool's answer, which belongs into the part of its call. */
export interface ToolAnswer {
  /** Null: the export does not say which call it answers. */
  callId: string | null
  toolName: string | null
  output: Json
  failed: boolean
  /** Pictures and files that the tool made. */
  files: ForeignPart[]
}

/** A message as its file has it, before the tree is looked at. */
export interface SourceNode {
  /** Null: it has none, and gets one from its place. */
  id: string | null
  /** Null: it begins a branch. */
  parentId: string | null
  role: 'user' | 'assistant' | 'system' | 'tool'
  /** Calls of tools in the state `input-available`; an answer found later settles them. */
  parts: ForeignPart[]
  answers?: ToolAnswer[]
  createdAt: Date | null
  model: string | null
  speaker?: string | null
  isHidden?: boolean
  /** The program shows it in one reply with the next message: thoughts. */
  readsOn?: boolean
  /** Holds the tree together and was never a message. */
  isRoot?: boolean
  /** Made by the reader out of another message, which is counted already. */
  isExtra?: boolean
}

/** The time at a key of a message or chat; a wrong one is counted as a problem. */
export function dateIn(problems: Problems, value: Json): Date | null {
  const date = dateOf(value)
  if (date !== 'wrong') return date
  problems.count('wrong date')
  return null
}

/**
 * An id made from what a message says and where it stands: the same message gets the same id in every export, and chats
 * that begin alike share their beginning.
 */
export function chainId(parentId: string | null, role: string, content: Json): string {
  const text = typeof content === 'string' ? content : jsonText(content ?? null)
  return createHash('sha256')
    .update(`${parentId ?? ''}\n${role}\n${text}`)
    .digest('base64url')
    .slice(0, 24)
}
