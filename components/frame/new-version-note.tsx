'use client'

import { Reload, reloadId } from '@/components/app/load-failure'
import { useNewVersion } from '@/components/app/new-version'
import { newVersion } from '@/components/app/problem'

/** Above the page, once the server has another version of the app: the page goes on as far as it is loaded. */
export function NewVersionNote() {
  const isThere = useNewVersion()
  return (
    <div role="status">
      {isThere && (
        <div className="arrive flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-b bg-surface px-4 py-2 text-sm">
          <p className="min-w-0 flex-1 basis-60">{newVersion}</p>
          <Reload id={reloadId} />
        </div>
      )}
    </div>
  )
}
