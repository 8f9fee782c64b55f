'use client'

import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { MessageId } from '@/lib/events'
import { MessageFinder, type VisibleGraph } from '@/lib/graph'
import type { FindText } from '../model/graph-props'

/** Pause in typing before the full text is searched, in ms. */
const pause = 200

/**
 * Finding messages in the drawing: the words, the hits, and the current hit.
 *
 * @param onFirst shows the first hit of new words
 */
export function useFind(
  visible: VisibleGraph,
  findText: FindText | undefined,
  onFirst: (id: MessageId) => void,
) {
  const [words, setWords] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const [currentId, setCurrentId] = useState<MessageId | null>(null)
  const [deeper, setDeeper] = useState({ of: '', ids: new Set<MessageId>() })
  const isOpen = words !== null
  const wanted = words?.trim() ?? ''
  const finder = useMemo(() => (isOpen ? new MessageFinder(visible) : null), [isOpen, visible])
  const also = deeper.of === wanted ? deeper.ids : undefined
  const hits = useMemo(() => finder?.find(wanted, also) ?? [], [finder, wanted, also])
  const at = currentId === null ? -1 : hits.indexOf(currentId)

  useEffect(() => {
    if (wanted === '' || !findText) return
    const gone = new AbortController()
    const timer = setTimeout(() => {
      findText(wanted, gone.signal).then(
        (ids) => setDeeper({ of: wanted, ids: new Set(ids) }),
        // without an answer, offline for example, the previews are still searched
        () => undefined,
      )
    }, pause)
    return () => {
      clearTimeout(timer)
      gone.abort()
    }
  }, [wanted, findText])

  const toFirst = useEffectEvent((id: MessageId) => {
    if (at >= 0) return
    setCurrentId(id)
    onFirst(id)
  })

  const first = hits[0]
  useEffect(() => {
    if (wanted === '' || first === undefined) return
    // a drawing that follows every letter is hard to look at
    const timer = setTimeout(() => toFirst(first), pause)
    return () => clearTimeout(timer)
  }, [wanted, first])

  return {
    /** null while the bar is closed */
    words,
    /** the messages lit instead of the chain being read; null without words */
    lit: useMemo(() => (wanted === '' ? null : new Set(hits)), [wanted, hits]),
    count: hits.length,
    /** counts from 0; -1 before the first step */
    at,
    currentId: at < 0 ? null : currentId,
    /** the text field */
    field,
    open() {
      setWords((before) => before ?? '')
      field.current?.focus({ preventScroll: true })
    },
    close() {
      setWords(null)
      setCurrentId(null)
    },
    type(next: string) {
      setWords(next)
      setCurrentId(null)
    },
    /** @returns the hit after or before the current one, around the ends */
    step(by: 1 | -1): MessageId | null {
      const from = at < 0 && by < 0 ? 0 : at
      const id = hits[(from + by + hits.length) % hits.length] ?? null
      setCurrentId(id)
      return id
    },
  }
}

export type Find = ReturnType<typeof useFind>
