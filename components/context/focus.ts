import { flushSync } from 'react-dom'

/**
 * Takes a row of a list away, and gives the focus to a field of the row beside it: the focus would go with the button.
 *
 * @param button in the row
 */
export function removeRow(button: Element, remove: () => void): void {
  const row = button.closest('li')
  const panel = button.closest<HTMLElement>('[aria-label="Context"]')
  const beside = row?.nextElementSibling ?? row?.previousElementSibling
  const field = beside?.querySelector('textarea')
  flushSync(remove)
  const next = field?.isConnected ? field : panel
  next?.focus({ preventScroll: true })
}
