import { WifiOff } from 'lucide-react'

/** A line above the box while the server is out of reach. The place is always there, so that the line is read out. */
export function OfflineNote({ shown }: { shown: boolean }) {
  return (
    <div role="status">
      {shown && (
        <p className="arrive mb-2 flex items-center gap-2 px-1 text-muted text-sm">
          <WifiOff size={14} aria-hidden className="shrink-0" /> Offline: what you write is kept.
        </p>
      )}
    </div>
  )
}
