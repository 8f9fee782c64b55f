/** Gives the held letters to the element that takes the focus; null while none are held. */
let release: ((to: HTMLElement | null) => void) | null = null

const isField = (element: HTMLElement): element is HTMLInputElement | HTMLTextAreaElement =>
  element instanceof HTMLTextAreaElement ||
  (element instanceof HTMLInputElement && ['text', 'search'].includes(element.type))

/**
 * Holds the letters that are typed from now on, for a list or a dialog that is still on its way: until then the focus
 * is where it was, and that place would get them. The element that takes the focus next gets them too.
 */
export function holdTyping(): void {
  letTypingGo()
  const ended = new AbortController()
  const { signal } = ended
  let typed = ''
  release = (to) => {
    release = null
    ended.abort()
    if (!to || typed === '') return
    if (isField(to)) {
      to.setRangeText(typed, to.selectionStart ?? 0, to.selectionEnd ?? 0, 'end')
      to.dispatchEvent(new InputEvent('input', { bubbles: true, data: typed, inputType: 'insertText' }))
    } else if (to.role === 'option') {
      // a list without a field goes to the option that begins with the letter
      const key = typed.slice(-1)
      to.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    }
  }
  const hold = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, isComposing } = event
    if (ctrlKey || metaKey || altKey || isComposing) return
    if (key.length === 1) typed += key
    else if (key === 'Escape' || key === 'Tab') return letTypingGo()
    else if (key === 'Backspace') typed = typed.slice(0, -1)
    // Enter would send the text in the message box
    else if (key !== 'Enter') return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  addEventListener('keydown', hold, { capture: true, signal })
  addEventListener('pointerdown', () => release?.(null), { capture: true, signal })
  addEventListener('focusin', ({ target }) => target instanceof HTMLElement && release?.(target), { signal })
}

/** Drops the held letters: the element they were meant for does not come. */
export const letTypingGo = (): void => release?.(null)
