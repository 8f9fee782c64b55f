'use client'

import { Dialog } from '@/components/ui/dialog'
import { Kbd } from '@/components/ui/kbd'

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
  [['Alt', 'T'], 'To what was just done, and its Undo'],
  [['?'], 'This list'],
]

const graphKeys: [string[], string][] = [
  [['↑', '↓'], 'To what was answered, to the reply'],
  [['←', '→'], 'Another version'],
  [['Enter'], 'Open, or show what is folded'],
  [['Space'], 'Pick for comparing'],
  [['r'], 'Go back to the checkpoint above'],
  [['F2'], 'Rename the branch'],
  [['f'], 'Fold or show a long stretch'],
  [['/'], 'Find in the graph'],
  [['+', '-', '0'], 'Closer, farther, all of it'],
  [['t'], 'The graph as it was, and back to now'],
]

interface HelpDialogProps {
  open: boolean
  onOpenChange(open: boolean): void
}

export function HelpDialog(props: HelpDialogProps) {
  return (
    <Dialog {...props} title="Keys" description="They work whenever you are not typing.">
      <div className="overflow-y-auto p-5">
        <KeyList keys={keys} />
        <h3 className="pt-5 pb-2 font-medium">In the graph</h3>
        <KeyList keys={graphKeys} />
      </div>
    </Dialog>
  )
}

function KeyList({ keys }: { keys: [string[], string][] }) {
  return (
    <dl className="grid gap-x-8 gap-y-2 sm:grid-cols-2">
      {keys.map(([combination, what]) => (
        <div key={what} className="flex items-center justify-between gap-4">
          <dt className="text-muted">{what}</dt>
          <dd className="flex shrink-0 gap-1">
            {combination.map((key, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: `g g` holds the same key twice
              <Kbd key={at}>{key}</Kbd>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  )
}
