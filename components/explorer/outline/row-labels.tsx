import { useLaneStyle } from '@/components/app/lane'
import { cn } from '@/components/ui/cn'
import type { BranchId } from '@/lib/events'
import type { OutlineRow, RowId } from '@/lib/graph'
import { BranchLabel, CheckpointFlag, MoreCheckpoints } from '../labels/labels'
import { BranchName, CheckpointName } from '../labels/name-in-place'
import type { GraphModel } from '../model/graph-model'
import type { GraphActions } from '../model/graph-props'
import type { NameWanted } from '../model/level'
import { chipsPlace, rowFlags, titlePlace, titleX } from './outline-row'
import type { RowLook } from './row-model'

interface RowLabelsProps {
  model: GraphModel
  looks: readonly { at: number; look: RowLook }[]
  tabId: RowId | null
  naming: NameWanted | null
  on: GraphActions
  /** goes to the branch of a row, by its title */
  onSwitch(id: RowId, branchId: BranchId): void
  onNamed(): void
}

/**
 * The names at the ends of rows, and the field for a name that is being given. They lie above the tree, not in it,
 * since a tree holds tree items only; Tab reaches the names of the row it stands on.
 */
export function RowLabels({ model, looks, tabId, naming, on, onSwitch, onNamed }: RowLabelsProps) {
  const laneStyle = useLaneStyle()
  return looks.map(({ at, look }) => {
    const { row, height } = look
    const field = nameField({ model, row, naming, on, onNamed })
    const labels = look.heads.length + look.checkpoints.length > 0
    const leadsTo = row.kind === 'branch' && !look.past ? row.branch : null
    const branch = leadsTo?.id === look.hereId ? null : leadsTo
    if (!labels && !field && !branch) return null
    const left = row.kind === 'branch' ? { paddingLeft: titleX(row) } : undefined
    return (
      <div
        key={row.id}
        data-row-names
        className={cn(
          'pointer-events-none absolute inset-x-0 flex justify-end pr-3',
          field ? 'z-20' : 'z-10',
        )}
        style={{ top: at * height, height, ...laneStyle(row.lane) }}
      >
        {field && (
          <span className={cn('self-center', left && 'mr-auto')} style={left}>
            {field}
          </span>
        )}
        {!field && branch && (
          <span className="flex min-w-0 flex-1" style={left}>
            <button
              type="button"
              tabIndex={tabId === row.id ? 0 : -1}
              data-branch={branch.id}
              aria-label={look.buttonName}
              onClick={() => onSwitch(row.id, branch.id)}
              data-title={look.title}
              // as wide as the title, which is part of the row below and its name
              className={cn(
                titlePlace,
                'pointer-events-auto relative -mx-1 h-6 self-center overflow-hidden rounded px-1 hover:bg-ink/8 touch:h-11',
                'before:invisible before:truncate before:font-medium before:content-[attr(data-title)]',
              )}
            />
          </span>
        )}
        {!field && labels && (
          <span className={chipsPlace}>
            <Names look={look} on={on} reachable={tabId === row.id} />
          </span>
        )}
      </div>
    )
  })
}

function Names({ look, on, reachable }: { look: RowLook; on: GraphActions; reachable: boolean }) {
  const { heads, past, hereId } = look
  const place = { on, past, reachable }
  const { named, counted } = rowFlags(look)
  return (
    <>
      {named.map(({ name }) => (
        <CheckpointFlag key={name} name={name} {...place} />
      ))}
      <MoreCheckpoints names={counted.map(({ name }) => name)} {...place} />
      {heads.map(({ branch, title, mark }) => (
        <BranchLabel
          key={branch.id}
          branch={branch}
          title={title}
          mark={mark}
          isHere={branch.id === hereId}
          waits={false}
          {...place}
        />
      ))}
    </>
  )
}

interface NameFieldProps extends Pick<RowLabelsProps, 'model' | 'naming' | 'on' | 'onNamed'> {
  row: OutlineRow
}

/** The field for a name that is being given at a row; null elsewhere. */
function nameField({ model, row, naming, on, onNamed }: NameFieldProps) {
  if (naming?.kind === 'checkpoint') {
    if (row.kind !== 'message' || row.id !== naming.messageId) return null
    return (
      <CheckpointName
        messageId={row.id}
        checkpoints={model.index.graph.checkpoints}
        on={on}
        onNamed={onNamed}
      />
    )
  }
  const named = row.kind === 'branch' ? [row.branch] : row.kind === 'message' ? row.branches : []
  const branch = named.find((each) => each?.id === naming?.branchId)
  return branch ? <BranchName branch={branch} on={on} onNamed={onNamed} /> : null
}
