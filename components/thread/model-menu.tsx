'use client'

import { useApp } from '@/components/app/app-context'
import { ChoiceMenu } from '@/components/ui/choice-menu'
import type { MessageId } from '@/lib/events'
import { typeWords } from '@/lib/protocol/file-types'
import { refusedType } from './model-words'

/** A reply that another model is to write again, and what that was asked from. */
export interface Choosing {
  messageId: MessageId
  /** the model that wrote it; undefined where that is not known */
  writtenBy: string | undefined
  /** media types of the files of the message that it answers */
  mustTake: readonly string[]
  anchor: Element | null
}

interface ModelMenuProps {
  choosing: Choosing
  open: boolean
  label: string
  onChoose(messageId: MessageId, model: string): void
  onClose(): void
}

/** The models to write a reply again with, on a new branch. The model that wrote it is marked. */
export default function ModelMenu({ choosing, open, label, onChoose, onClose }: ModelMenuProps) {
  const { models } = useApp()
  return (
    <ChoiceMenu
      open={open}
      anchor={choosing.anchor}
      label={label}
      value={choosing.writtenBy}
      options={models.map((model) => {
        const cannot = refusedType(model, choosing.mustTake)
        const why = cannot === undefined ? undefined : `does not take ${typeWords(cannot)}`
        return {
          value: model.id,
          label: model.label,
          disabled: cannot !== undefined,
          note: model.id === choosing.writtenBy ? 'wrote this' : why,
        }
      })}
      onChoose={(model) => onChoose(choosing.messageId, model)}
      onClose={onClose}
    />
  )
}
