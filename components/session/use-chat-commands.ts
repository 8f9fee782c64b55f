'use client'

import { useEffect, useEffectEvent } from 'react'
import { type Command, useApp } from '@/components/app/app-context'
import type { Graph } from '@/lib/protocol'

interface Doing {
  switchTo(branchId: string): void
  restore(name: string): void
  branchFromHere(): void
  checkpoint(): void
  toggleGraph(): void
  fillGraph(): void
}

/** Offers what can be done with this chat to the command palette. */
export function useChatCommands({ branches, checkpoints }: Graph, branchId: string, doing: Doing): void {
  const { offer } = useApp()
  const put = useEffectEvent(offer)
  const act = useEffectEvent((what: (doing: Doing) => void) => what(doing))

  useEffect(() => {
    const to = (what: (doing: Doing) => void) => () => act(what)
    const chat: Command[] = [
      {
        id: 'branch',
        group: 'This chat',
        label: 'Branch from here',
        words: 'rewind fork continue',
        keys: ['b'],
        run: to((can) => can.branchFromHere()),
      },
      {
        id: 'checkpoint',
        group: 'This chat',
        label: 'Save a checkpoint',
        words: 'tag bookmark flag',
        keys: ['c'],
        run: to((can) => can.checkpoint()),
      },
      {
        id: 'graph',
        group: 'This chat',
        label: 'Show or hide the graph',
        words: 'log tree map',
        keys: ['g'],
        run: to((can) => can.toggleGraph()),
      },
      {
        id: 'graph full',
        group: 'This chat',
        label: 'Graph fills the window',
        keys: ['g', 'g'],
        run: to((can) => can.fillGraph()),
      },
    ]
    const switches = branches
      .filter((branch) => branch.id !== branchId && branch.archivedAt === null)
      .map((branch) => ({
        id: branch.id,
        group: 'Branches',
        label: `Go to ${branch.name}`,
        words: 'switch checkout branch',
        run: to((can) => can.switchTo(branch.id)),
      }))
    const restores = checkpoints.map(({ id, name }) => ({
      id,
      group: 'Checkpoints',
      label: `Go back to “${name}”`,
      words: 'restore reset tag',
      run: to((can) => can.restore(name)),
    }))
    return put([...chat, ...switches, ...restores])
  }, [branches, checkpoints, branchId])
}
