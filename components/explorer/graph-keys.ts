/** What a key does with the item it is pressed on, besides walking the tree. */
export type KeyCommand =
  | 'open'
  | 'mark'
  | 'branch'
  | 'checkpoint'
  | 'restore'
  | 'rename'
  | 'fold'
  | 'zoom in'
  | 'zoom out'
  | 'fit'
  | 'leave'

export const graphKeys: Readonly<Record<string, KeyCommand>> = {
  Enter: 'open',
  ' ': 'mark',
  b: 'branch',
  c: 'checkpoint',
  r: 'restore',
  F2: 'rename',
  f: 'fold',
  '+': 'zoom in',
  '=': 'zoom in',
  '-': 'zoom out',
  '0': 'fit',
  Escape: 'leave',
}
