'use client'

import { Command as Cmdk } from 'cmdk'
import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { commandsOf } from '@/components/actions/action'
import { appActions, palette, themeActions } from '@/components/actions/on-app'
import { getJson } from '@/components/app/api'
import { type Command, useApp } from '@/components/app/app-context'
import { BranchFace } from '@/components/app/branch-face'
import { titleOf } from '@/components/app/listed'
import { isFiltered } from '@/components/chats/list-state'
import { Dialog, type OpenProps } from '@/components/ui/dialog'
import { KeyCaps } from '@/components/ui/kbd'
import { useTheme } from '@/components/ui/use-theme'
import type { ChatPage, ChatSummary } from '@/lib/protocol'
import { paletteScore } from './palette-score'

interface CommandPaletteProps extends OpenProps {
  /** the commands of the page; the frame adds its own */
  commands: readonly Command[]
}

export function CommandPalette({ commands, ...props }: CommandPaletteProps) {
  const chosen = useRef<(() => void) | null>(null)
  return (
    <Dialog
      bare
      {...props}
      title={palette.label}
      onCloseAutoFocus={() => {
        // once the focus is back where it was: a command may move it
        const run = chosen.current
        chosen.current = null
        if (run) queueMicrotask(run)
      }}
    >
      <Palette
        commands={commands}
        onChoose={(run) => {
          chosen.current = run
          props.onOpenChange(false)
        }}
      />
    </Dialog>
  )
}

/** The groups, the nearest first: a group that is not named here stands in the middle. */
const first = ['This chat', 'This branch', 'Branches', 'Checkpoints', 'Graph']
const placeOf = ({ group }: Command): number => (first.includes(group) ? first.indexOf(group) : first.length)

function Palette({
  commands: ofPage,
  onChoose,
}: {
  commands: readonly Command[]
  onChoose(run: () => void): void
}) {
  const [typed, setTyped] = useState('')
  const all = [...ofPage, ...useFrameCommands(typed)].sort((a, b) => placeOf(a) - placeOf(b))
  const groups = bestFirst(
    Map.groupBy(all, ({ group }) => group),
    typed,
  )
  return (
    <Cmdk
      label="Commands"
      loop
      filter={(_, typed, [label = '', words] = []) => paletteScore(typed, label, words)}
      className="flex min-h-0 flex-col"
    >
      <div className="flex items-center gap-3 border-line border-b px-4">
        <Search size={16} aria-hidden className="shrink-0 text-faint" />
        <Cmdk.Input
          autoFocus
          value={typed}
          onValueChange={setTyped}
          placeholder="Go to a chat, a branch, a checkpoint, or do something"
          className="h-12 min-w-0 flex-1 bg-transparent outline-none"
        />
      </div>
      <Cmdk.List className="max-h-[min(24rem,60dvh)] scroll-py-2 overflow-y-auto overscroll-contain p-2">
        <Cmdk.Empty className="px-2 py-6 text-center text-muted">Nothing by that name.</Cmdk.Empty>
        {groups.map(([heading, commands]) => (
          <Cmdk.Group
            key={heading}
            heading={heading}
            className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-3 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-faint [&_[cmdk-group-heading]]:text-xs"
          >
            {commands.map(({ id, label, words = '', keys = [], branch, run }) => (
              <Cmdk.Item
                key={id}
                value={`${label} ${id}`}
                keywords={[label, words]}
                onSelect={() => onChoose(run)}
                className="relative flex min-h-9 touch:min-h-11 items-center gap-3 rounded-md px-2 py-1 data-[selected=true]:bg-ink/6"
              >
                {branch ? (
                  <BranchFace label={label} branch={branch} isHere={false} />
                ) : (
                  <bdi className="min-w-0 flex-1 truncate">{label}</bdi>
                )}
                <span className="flex gap-1">
                  <KeyCaps names={keys} />
                </span>
              </Cmdk.Item>
            ))}
          </Cmdk.Group>
        ))}
      </Cmdk.List>
    </Cmdk>
  )
}

/** The groups by their best answer to the typed words, since Enter does the first command. */
function bestFirst(groups: ReadonlyMap<string, Command[]>, typed: string): [string, Command[]][] {
  if (typed.trim() === '') return [...groups]
  const best = (commands: readonly Command[]) =>
    Math.max(...commands.map(({ label, words }) => paletteScore(typed, label, words)))
  return [...groups].sort(([, one], [, other]) => best(other) - best(one))
}

function useFrameCommands(typed: string): Command[] {
  const app = useApp()
  const known = new Map([...useFoundChats(typed), ...app.chats].map((chat) => [chat.id, chat]))
  const theme = useTheme()
  return [
    ...commandsOf('Ramify', appActions, () => app),
    ...[...known.values()].map((chat) => ({
      id: chat.id,
      group: 'Chats',
      label: titleOf(chat),
      run: () => app.openChat(chat.id),
    })),
    ...commandsOf('Theme', themeActions, () => theme),
  ]
}

/** A pause in typing after which the server is asked, in ms. */
const PAUSE = 150

/** Chats that the page does not know and whose titles hold the typed words. */
function useFoundChats(typed: string): readonly ChatSummary[] {
  const { api, list, viewer } = useApp()
  const [found, setFound] = useState<readonly ChatSummary[]>([])
  const wanted = typed.trim()
  const isAsked = viewer !== null && wanted !== '' && (list.next !== null || isFiltered(list.query))
  useEffect(() => {
    if (!isAsked) return
    const leaving = new AbortController()
    const timer = setTimeout(() => {
      getJson<ChatPage>(api, `/api/chats?${new URLSearchParams({ q: wanted, limit: '20' })}`, leaving.signal)
        .then(({ chats }) => setFound(chats))
        // the chats that the page knows are there all the same
        .catch(() => setFound([]))
    }, PAUSE)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [api, isAsked, wanted])
  return isAsked ? found : []
}
