'use client'

import { Dialog } from '../ui/dialog'
import { Kbd } from '../ui/kbd'

const keys: [string[], string][] = [
  [['Enter'], 'Send'],
  [['Shift', 'Enter'], 'New line'],
  [['j'], 'Next message'],
  [['k'], 'Previous message'],
  [['['], 'Previous version'],
  [[']'], 'Next version'],
  [['b'], 'Branch from here'],
  [['c'], 'Checkpoint here'],
  [['g'], 'Show or hide the graph'],
  [['g', 'g'], 'Graph fills the window'],
  [['/'], 'Search'],
  [['Ctrl', 'K'], 'Command palette'],
  [['?'], 'This list'],
]

interface HelpDialogProps {
  open: boolean
  onOpenChange(open: boolean): void
}

export function HelpDialog(props: HelpDialogProps) {
  return (
    <Dialog {...props} title="Keys" description="They work whenever you are not typing.">
      <dl className="grid gap-x-8 gap-y-2 overflow-y-auto p-5 sm:grid-cols-2">
        {keys.map(([combination, what]) => (
          <div key={what} className="flex items-center justify-between gap-4">
            <dt className="text-muted">{what}</dt>
            <dd className="flex gap-1">
              {combination.map((key, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: `g g` holds the same key twice
                <Kbd key={at}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
