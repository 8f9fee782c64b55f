'use client'

import {
  type ComponentProps,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react'
import { cn } from '@/components/ui/cn'
import { type AreaLook, areaLook } from './markdown/shown-text'

interface TextBoxProps
  extends Pick<
    ComponentProps<'textarea'>,
    'placeholder' | 'readOnly' | 'autoFocus' | 'onFocus' | 'className' | 'id'
  > {
  ref?: Ref<HTMLTextAreaElement>
  label: string
  text: string
  /** it grows with its text up to so many lines */
  lines: number
  onText(text: string): void
  onEscape?(): void
  /** files that are pasted */
  onFiles?(files: File[]): void
}

/** A box to write a message in: Enter submits its form, Shift+Enter breaks the line. */
export function TextBox({
  ref,
  label,
  text,
  lines,
  onText,
  onEscape,
  onFiles,
  className,
  ...props
}: TextBoxProps) {
  const area = useRef<HTMLTextAreaElement | null>(null)
  useImperativeHandle(ref, () => area.current as HTMLTextAreaElement)
  useAutoHeight(area, text, lines)
  return (
    <textarea
      ref={area}
      rows={1}
      dir="auto"
      aria-label={label}
      value={text}
      onChange={(event) => onText(event.target.value)}
      onPaste={(event) => {
        const { files, types } = event.clipboardData
        // a table that is copied brings a picture of itself along: its words are meant
        if (!onFiles || files.length === 0 || types.includes('text/plain')) return
        event.preventDefault()
        onFiles([...files])
      }}
      onKeyDown={(event) => {
        // 229: Safari's last key of a composition comes after its end
        if (event.nativeEvent.isComposing || event.keyCode === 229) return
        if (event.key === 'Escape') onEscape?.()
        if (event.key !== 'Enter' || event.shiftKey) return
        event.preventDefault()
        event.currentTarget.form?.requestSubmit()
      }}
      className={cn('block w-full resize-none text-lg outline-none', className)}
      {...props}
    />
  )
}

/** Lets a text area grow with its text, up to `lines`, and keeps it quick with any text. */
function useAutoHeight(ref: RefObject<HTMLTextAreaElement | null>, text: string, lines: number): void {
  useLayoutEffect(() => {
    const area = ref.current
    if (!area) return
    setLook(area, areaLook(text))
    const { lineHeight, paddingBlockStart, paddingBlockEnd } = getComputedStyle(area)
    const limit = Number.parseFloat(lineHeight) * lines
    const padding = Number.parseFloat(paddingBlockStart) + Number.parseFloat(paddingBlockEnd)
    area.style.height = 'auto'
    area.style.height = `${Math.min(area.scrollHeight, limit + padding)}px`
  }, [ref, text, lines])

  useEffect(() => {
    const area = ref.current
    if (!area) return
    // pasted text is laid out before its input event
    const before = ({ data, dataTransfer }: InputEvent) => {
      const added = data ?? dataTransfer?.getData('text/plain') ?? ''
      if (added.length > 1) setLook(area, areaLook(area.value + added))
    }
    area.addEventListener('beforeinput', before)
    return () => area.removeEventListener('beforeinput', before)
  }, [ref])
}

function setLook({ style }: HTMLTextAreaElement, look: AreaLook): void {
  style.whiteSpace = look === 'unwrapped' ? 'pre' : ''
  style.setProperty('-webkit-text-security', look === 'dots' ? 'disc' : '')
}

/** The most characters a message can hold; the server says the same. */
const maxLength = 100_000

/** Reason why a text cannot be sent; null for a text that can, and for an empty box. */
export function whyNot(text: string): string | null {
  if (text.length <= maxLength) return null
  const format = (number: number) => number.toLocaleString('en')
  return `This message is ${format(text.length)} characters long. The most one message can hold is ${format(maxLength)}.`
}

/** @param hasFiles a message with files needs no words */
export const isSendable = (text: string, hasFiles = false): boolean =>
  (hasFiles || text.trim() !== '') && text.length <= maxLength
