'use client'

import { Fragment, type ReactNode, type SyntheticEvent, useRef, useState } from 'react'
import { type Action, type Offer, offers } from '@/components/actions/action'
import { branchChanges, checkpointActions, switchToBranch } from '@/components/actions/on-branch'
import { canvasActions, itemActions, type OnGraph, saveActions, unfold } from '@/components/actions/on-graph'
import { ContextItem, ContextMenu, ContextSeparator } from '@/components/ui/context-menu'
import type { GraphModel } from '../model/graph-model'
import type { GraphCommands, GraphTarget } from './graph-commands'

interface GraphMenuProps {
  model: GraphModel
  commands: GraphCommands
  /** the target under the pointer, or in focus */
  targetOf(event: Event): GraphTarget
  onClosed(target: GraphTarget): void
  /** about the target, above its actions, where no pointer can rest on it */
  about?(target: GraphTarget): ReactNode
  children: ReactNode
}

/** The menu of the thing that was right-clicked. */
export function GraphMenu({ model, commands, targetOf, onClosed, about, children }: GraphMenuProps) {
  const [target, setTarget] = useState<GraphTarget>({ kind: 'pane' })
  const held = useRef<'down' | 'opened' | null>(null)
  const ask = (event: SyntheticEvent<unknown, Event>) => setTarget(targetOf(event.nativeEvent))
  return (
    <ContextMenu
      label="Graph"
      onOpenChange={(open) => {
        if (open && held.current === 'down') held.current = 'opened'
        else if (!open && held.current === 'opened') held.current = null
      }}
      trigger={
        <div
          className="h-full"
          onContextMenuCapture={ask}
          // not every browser sends an event for a long touch: then the menu opens after a while by itself
          onPointerDownCapture={(event) => {
            held.current = event.pointerType === 'mouse' ? null : 'down'
            if (held.current) ask(event)
          }}
          // lifting the finger that opened it is neither a press, which would take the focus and close it, nor a click
          onTouchEndCapture={(event) => {
            if (held.current === 'opened') event.preventDefault()
          }}
          onClickCapture={(event) => {
            if (held.current === 'opened') event.stopPropagation()
            held.current = null
          }}
        >
          {children}
        </div>
      }
      onCloseAutoFocus={(event) => {
        event.preventDefault()
        onClosed(target)
      }}
    >
      {about && (
        <div aria-hidden className="hidden w-48 px-2 pt-1 pb-2 touch:block">
          {about(target)}
        </div>
      )}
      {menuOf(target, model, commands).map((section, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the sections of a menu keep their places
        <Fragment key={at}>
          {at > 0 && <ContextSeparator />}
          {section.map(({ id, label, Icon, hotkey, run }) => (
            <ContextItem key={id} icon={Icon && <Icon size={14} />} hotkey={hotkey} onSelect={() => run()}>
              {label}
            </ContextItem>
          ))}
        </Fragment>
      ))}
    </ContextMenu>
  )
}

/** The sections of the menu of a target. */
export function menuOf(target: GraphTarget, model: GraphModel, commands: GraphCommands): Offer[][] {
  const on = commands(target)
  const section = (actions: readonly Action<OnGraph>[], at = on) => offers(actions, at)
  const ofBranch = [switchToBranch, ...branchChanges]
  const isItem = on.messageId !== null || on.isFold
  const sections = {
    pane: () => [section(canvasActions), section(saveActions)],
    checkpoint: () => [section(checkpointActions)],
    branch: () => [section(ofBranch).map((offer) => ({ ...offer, label: offer.short }))],
    item: () => [
      section([unfold, ...itemActions]),
      ...((!model.past && model.visible.labels.get(on.messageId ?? '')?.branches) || []).map(({ id }) =>
        section(ofBranch, commands({ kind: 'branch', id })),
      ),
    ],
  }
  return sections[target.kind === 'item' && !isItem ? 'pane' : target.kind]().filter(
    ({ length }) => length > 0,
  )
}
