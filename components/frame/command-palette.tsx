'use client'

import { Command as Cmdk } from 'cmdk'
import { Search } from 'lucide-react'
import { useRef } from 'react'
import { commandsOf } from '@/components/actions/action'
import { appActions, palette, themeActions } from '@/components/actions/on-app'
import { type Command, useApp } from '@/components/app/app-context'
import { BranchFace } from '@/components/app/branch-face'
import { Dialog, type OpenProps } from '@/components/ui/dialog'
import { KeyCaps } from '@/components/ui/kbd'
import { useTheme } from '@/components/ui/use-theme'
import { paletteScore } from './palette-score'

interface CommandPaletteProps extends OpenProps {
  /** the commands of the page, beside those of the frame */
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

/** The groups from what is nearest: a group that is not named here stands in the middle. */
const first = ['This chat', 'This branch', 'Branches', 'Checkpoints', 'Graph']
const placeOf = ({ group }: Command): number => (first.includes(group) ? first.indexOf(group) : first.length)

function Palette({
  commands: ofPage,
  onChoose,
}: {
  commands: readonly Command[]
  onChoose(run: () => void): void
}) {
  const all = [...ofPage, ...useFrameCommands()].sort((a, b) => placeOf(a) - placeOf(b))
  const groups = Map.groupBy(all, ({ group }) => group)
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
          placeholder="Go to a chat, a branch, a checkpoint, or do something"
          className="h-12 min-w-0 flex-1 bg-transparent outline-none"
        />
      </div>
      <Cmdk.List className="max-h-[min(24rem,60dvh)] scroll-py-2 overflow-y-auto overscroll-contain p-2">
        <Cmdk.Empty className="px-2 py-6 text-center text-muted">Nothing by that name.</Cmdk.Empty>
        {[...groups].map(([heading, commands]) => (
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
                className="relative flex min-h-9 items-center gap-3 rounded-md px-2 py-1 data-[selected=true]:bg-ink/6"
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

function useFrameCommands(): Command[] {
  const app = useApp()
  const theme = useTheme()
  return [
    ...commandsOf('Ramify', appActions, () => app),
    ...app.chats.map(({ id, title }) => ({
      id,
      group: 'Chats',
      label: title ?? 'Untitled chat',
      run: () => app.openChat(id),
    })),
    ...commandsOf('Theme', themeActions, () => theme),
  ]
}
