'use client'

import { Command as Cmdk } from 'cmdk'
import { Check, Minus, Plus, Tag } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useEffect, useRef, useState } from 'react'
import { getJson } from '@/components/app/api'
import { useApp } from '@/components/app/app-context'
import { namesOf, type Picked } from '@/components/app/listed'
import { problemOf, unreached } from '@/components/app/problem'
import { announce, problemToast } from '@/components/app/toasts'
import { Sheet } from '@/components/ui/dialog'
import { useFocusReturn } from '@/components/ui/use-focus-return'
import { useMediaQuery } from '@/components/ui/use-media-query'
import { MAX_TAG, MAX_TAGS, normalTag, type TagCount, tagKey } from '@/lib/protocol'

interface TagPickerProps {
  picked: Picked | null
  /** the element that it opens beside */
  beside: Element | null
  onClose(): void
}

/** Picker of the tags of chats: type to find a tag or to make one, Enter puts it on or takes it off. */
export function TagPicker({ picked, beside, onClose }: TagPickerProps) {
  const phone = useMediaQuery('(max-width: 639px)')
  const giveBack = useFocusReturn(picked !== null, beside)
  const close = (open: boolean) => {
    if (!open) onClose()
  }
  if (phone) {
    return (
      <Sheet title="Tags" side="bottom" open={picked !== null} onOpenChange={close}>
        {picked && <Tags picked={picked} />}
      </Sheet>
    )
  }
  return (
    // modal: it may stand above the drawer, which a click outside would close
    <Popover.Root modal open={picked !== null} onOpenChange={close}>
      <Popover.Anchor virtualRef={{ current: beside ?? middle }} />
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label="Tags"
          onCloseAutoFocus={giveBack}
          className="appear z-50 flex max-h-80 w-64 flex-col overflow-hidden rounded-lg border border-line bg-raised shadow-float"
        >
          {picked && <Tags picked={picked} />}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

/** Anchor without an element: the upper middle of the window. */
const middle = { getBoundingClientRect: () => new DOMRect(innerWidth / 2 - 128, innerHeight / 5, 256, 0) }

type Standing = 'all' | 'some' | 'none'

function Tags({ picked }: { picked: Picked }) {
  const { api, chats: known, keepChats } = useApp()
  const [stored, setStored] = useState<readonly TagCount[]>([])
  const [typed, setTyped] = useState('')
  /** the tags that were set or removed here; for all chats of a list, nothing else is known */
  const [done, setDone] = useState<ReadonlyMap<string, Standing>>(new Map())
  const list = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const leaving = new AbortController()
    getJson<{ tags: TagCount[] }>(api, '/api/chat-tags', leaving.signal).then(
      ({ tags }) => setStored(tags),
      (error: unknown) => {
        if (!leaving.signal.aborted) problemToast(problemOf(error, unreached))
      },
    )
    return () => leaving.abort()
  }, [api])

  const ids = new Set('chats' in picked ? picked.chats.map(({ id }) => id) : [])
  const chats = known.filter(({ id }) => ids.has(id))
  const names = new Map(stored.map(({ tag }) => [tagKey(tag), tag]))
  for (const tag of chats.flatMap(({ tags }) => tags))
    if (!names.has(tagKey(tag))) names.set(tagKey(tag), tag)

  const standing = (key: string): Standing => {
    if (!('chats' in picked)) return done.get(key) ?? 'none'
    const having = chats.filter(({ tags }) => tags.some((tag) => tagKey(tag) === key)).length
    return having === 0 ? 'none' : having === chats.length ? 'all' : 'some'
  }
  const toggle = async (tag: string) => {
    const on = standing(tagKey(tag)) !== 'all'
    setTyped('')
    if (!(await keepChats(picked, { tags: on ? { add: [tag] } : { remove: [tag] } }))) return
    setDone(new Map(done).set(tagKey(tag), on ? 'all' : 'none'))
    if (!names.has(tagKey(tag))) setStored([...stored, { tag, chats: 0 }])
    announce(on ? `Tag ${tag} is on` : `Tag ${tag} is off`)
  }

  const wanted = normalTag(typed)
  const isNew = wanted !== '' && !names.has(tagKey(wanted))
  const isFull = chats.some(({ tags }) => tags.length >= MAX_TAGS)
  const sorted = [...names].sort(([, a], [, b]) => a.localeCompare(b))
  return (
    <Cmdk label="Tags" loop className="flex min-h-0 flex-col">
      <div className="flex items-center gap-2 border-line border-b px-3">
        <Tag size={14} aria-hidden className="shrink-0 text-faint" />
        <Cmdk.Input
          autoFocus
          value={typed}
          onValueChange={setTyped}
          maxLength={MAX_TAG}
          placeholder="Find or make a tag"
          className="h-10 min-w-0 flex-1 bg-transparent text-sm outline-none touch:h-12"
        />
      </div>
      <Cmdk.List ref={list} label="Tags" className="overflow-y-auto overscroll-contain p-1">
        {names.size === 0 && wanted === '' && (
          <p className="px-2 py-3 text-muted text-sm">No tags yet. Type a name to make one.</p>
        )}
        {sorted.map(([key, tag]) => {
          const on = standing(key)
          return (
            <Cmdk.Item
              key={key}
              value={`tag ${key}`}
              keywords={[tag]}
              onSelect={() => void toggle(tag)}
              className={item}
            >
              <span aria-hidden className="grid w-4 shrink-0 place-items-center text-accent">
                {on === 'all' && <Check size={14} />}
                {on === 'some' && <Minus size={14} />}
              </span>
              <bdi className="min-w-0 flex-1 truncate">{tag}</bdi>
              <span className="sr-only">{on === 'all' ? ', on' : on === 'some' ? ', on some' : ', off'}</span>
            </Cmdk.Item>
          )
        })}
        {isNew && (
          <Cmdk.Item
            forceMount
            value={`make ${wanted}`}
            onSelect={() => void toggle(wanted)}
            className={item}
          >
            <Plus size={14} aria-hidden className="shrink-0 text-muted" />
            <span className="min-w-0 flex-1 truncate">
              Make tag <bdi className="font-medium">{wanted}</bdi>
            </span>
          </Cmdk.Item>
        )}
      </Cmdk.List>
      <p className="border-line border-t px-3 py-2 text-faint text-xs">
        {isFull ? `${MAX_TAGS} tags are the most a chat can have.` : <>Of {namesOf(picked)}</>}
      </p>
    </Cmdk>
  )
}

const item =
  'flex h-8 select-none items-center gap-2 rounded-md px-2 text-sm data-[selected=true]:bg-ink/6 touch:h-11'
