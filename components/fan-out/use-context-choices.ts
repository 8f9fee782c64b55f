'use client'

import { useMemo, useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { builtIns } from '@/components/context/preset-content'
import { previewOf } from '@/components/context/preview'
import type { ChatSession } from '@/components/session/chat-session'
import { chatUrl, useLoaded } from '@/components/session/read-chat'
import type { MessageId } from '@/lib/events'
import { branchTitle } from '@/lib/graph/branch-title'
import type { ContextInUse, ContextPreset, PresetContent } from '@/lib/protocol'
import type { FanOutContext } from '@/lib/protocol/fan-out'

/** A context that a message can go to. */
export interface ContextTarget {
  id: string
  name: string
  about: string
  target: FanOutContext
  /** approximate length of its instructions; null for the context in force */
  tokens: number | null
}

/** The id of the context that is in force. */
export const inForce = 'in force'

/**
 * The contexts to choose from: the one in force, contexts of the chat's other branches, presets of the person and the
 * app.
 */
export function useContextChoices({ index, branchId, unsaved }: ChatSession, asked: MessageId | undefined) {
  const { viewer } = useApp()
  const [inUse, setInUse] = useState<readonly ContextInUse[]>([])
  const [presets, setPresets] = useState<readonly ContextPreset[]>([])
  const branches = useLoaded<{ contexts: ContextInUse[] }>(
    unsaved ? null : chatUrl('chats', index.graph.chatId, 'contexts'),
    ({ contexts }) => setInUse(contexts),
  )
  const own = useLoaded<{ presets: ContextPreset[] }>(viewer ? '/api/context-presets' : null, (answer) =>
    setPresets(answer.presets),
  )
  // a message in the middle of its branch is asked again in the context of then: the one of now is another choice
  const { headId } = index.branch(branchId) ?? {}
  const isAtEnd = !asked || !headId || asked === headId || index.parentOf(headId)?.id === asked
  const all = useMemo(
    (): ContextTarget[] => [
      {
        id: inForce,
        target: {},
        tokens: null,
        name: isAtEnd ? 'As on this branch' : 'As it was asked',
        about: 'Its fragments, memories, settings and tools',
      },
      ...inUse.flatMap((context): ContextTarget[] => {
        const { context_id: contextId, branch_ids: ids, tokens } = context
        const [first, ...others] = ids.filter((id) => index.branch(id))
        if (first === undefined || (isAtEnd && ids.includes(branchId))) return []
        const more = others.length === 0 ? '' : ` and ${others.length} more`
        return [
          {
            id: contextId,
            target: { contextId },
            tokens,
            name: `As on ${branchTitle(index, first)}${more}`,
            about: aboutOf(context),
          },
        ]
      }),
      ...presets.map(({ id, name, content }) => ofPreset({ id, name, content, about: 'Your preset' })),
      ...builtIns.map(({ name, about, content }) =>
        ofPreset({ id: `built in ${name}`, name, content, about }),
      ),
    ],
    [inUse, presets, index, branchId, isAtEnd],
  )
  return { all, problem: branches.problem ?? own.problem }
}

function aboutOf({ opening, fragments, memories }: ContextInUse): string {
  const parts = `${fragments} ${fragments === 1 ? 'fragment' : 'fragments'}`
  const remembered = memories === 0 ? '' : `, ${memories} ${memories === 1 ? 'memory' : 'memories'}`
  return opening === '' ? `${parts}${remembered}` : `${opening} · ${parts}${remembered}`
}

function ofPreset({
  content,
  ...preset
}: Pick<ContextTarget, 'id' | 'name' | 'about'> & { content: PresetContent }) {
  const fragments = content.fragments.map((fragment, at) => ({ ...fragment, id: `${at}` }))
  const { renderer = 'xml' } = content
  const { tokens } = previewOf({ fragments, renderer, memories: [], settings: {}, tools: {} })
  return { ...preset, tokens, target: { preset: content } }
}
