import { flushSync } from 'react-dom'

/**
 * Takes a row of a list away, and gives the focus to a field of the row beside it: the focus would go with the button.
 *
 * @param button in the row
 */
export function removeRow(button: Element, remove: () => void): void {
  const row = button.closest('li')
  const panel = button.closest<HTMLElement>('[aria-label="Context"]')
  // rows of the whole list: its groups are lists of their own
  const rows = [...(button.closest('section')?.querySelectorAll('li') ?? [])]
  const at = row ? rows.indexOf(row) : -1
  const field = (rows[at + 1] ?? rows[at - 1])?.querySelector('textarea')
  flushSync(remove)
  const next = field?.isConnected ? field : panel
  next?.focus({ preventScroll: true })
}
