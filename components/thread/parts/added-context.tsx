import { Layers } from 'lucide-react'
import { contextLine } from '@/components/session/context-line'
import { Fold } from './fold'
import { RawValue } from './raw-value'

interface AddedContextProps {
  /** names it on the page */
  id: string
  added: readonly unknown[]
}

/** What an agent has added to what a person said, or between messages: one quiet line that opens. */
export function AddedContext({ id, added }: AddedContextProps) {
  return (
    <Fold id={id} plain Icon={Layers} label={<span className="text-faint">{contextLine(added)}</span>}>
      {() => (
        <div className="flex flex-col gap-2">
          {added.map((each, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
            <RawValue key={at} title={nameOf(each)} value={each} />
          ))}
        </div>
      )}
    </Fold>
  )
}

/** `<system-reminder>` → `system reminder` */
function nameOf(added: unknown): string {
  if (typeof added === 'string')
    return /^\s*<([A-Za-z][\w-]{2,40})/.exec(added)?.[1]?.replaceAll(/[-_]/g, ' ') ?? 'Context'
  const type = typeof added === 'object' && added !== null && 'type' in added ? added.type : undefined
  return typeof type === 'string' ? type.replaceAll('_', ' ') : 'Context'
}
