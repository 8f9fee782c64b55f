'use client'

import { useEffect, useEffectEvent, useState } from 'react'
import { getJson } from '@/components/app/api'
import { useApp } from '@/components/app/app-context'
import { problemOf, unreached } from '@/components/app/problem'
import { problemToast } from '@/components/app/toasts'
import { Menu, MenuChoice, MenuLabel, MenuSeparator } from '@/components/ui/menu'
import type { ChatSort, TagCount } from '@/lib/protocol'
import { FilterButton } from './filter-button'

const sorts: { value: ChatSort; label: string }[] = [
  { value: 'updated', label: 'Last change' },
  { value: 'created', label: 'Date begun' },
  { value: 'title', label: 'Title' },
]

const ANY = 'any'

/** Filter and order of the list of chats. Open from its first moment: it comes with the click on its button. */
export default function FilterMenu({ word }: { word: string | undefined }) {
  const { api, list } = useApp()
  const { query, ask } = list
  const [tags, setTags] = useState<readonly TagCount[]>([])
  const readTags = () => {
    getJson<{ tags: TagCount[] }>(api, '/api/chat-tags').then(
      (found) => setTags(found.tags),
      (error: unknown) => problemToast(problemOf(error, unreached)),
    )
  }
  const readFirst = useEffectEvent(readTags)
  useEffect(() => readFirst(), [])
  return (
    <Menu
      align={word === undefined ? 'end' : 'start'}
      defaultOpen
      onOpen={readTags}
      trigger={<FilterButton word={word} />}
    >
      <MenuChoice
        value={query.archived ? 'archived' : query.agents ? 'agents' : 'all'}
        options={[
          { value: 'all', label: 'All chats' },
          { value: 'agents', label: 'Agents' },
          { value: 'archived', label: 'Archived' },
        ]}
        onChoose={(value) =>
          ask({ archived: value === 'archived', agents: value === 'agents' ? true : undefined })
        }
      />
      <MenuSeparator />
      <MenuLabel>Sort by</MenuLabel>
      <MenuChoice
        value={query.sort}
        options={sorts}
        onChoose={(value) => ask({ sort: sorts.find((sort) => sort.value === value)?.value ?? 'updated' })}
      />
      {tags.length > 0 && (
        <>
          <MenuSeparator />
          <MenuLabel>Tag</MenuLabel>
          <MenuChoice
            value={query.tag === undefined ? ANY : `tag ${query.tag}`}
            options={[
              { value: ANY, label: 'Any' },
              ...tags.map(({ tag, chats }) => ({ value: `tag ${tag}`, label: tag, note: `${chats}` })),
            ]}
            onChoose={(value) => ask({ tag: value === ANY ? undefined : value.slice('tag '.length) })}
          />
        </>
      )}
    </Menu>
  )
}
