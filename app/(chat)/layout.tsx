import type { ReactNode } from 'react'
import { AppFrame } from '@/components/frame/app-frame'
import { readFrame } from '@/lib/server/pages/pages'
import { createSample } from './actions'
import { renameChat } from './c/[id]/actions'

/** An action of a page may ask for replies, which take as long as the model takes; hosts with a limit cut them here. */
export const maxDuration = 300

/** The frame around every chat: read once; the client keeps it up to date. */
export default async function ChatLayout({ children }: { children: ReactNode }) {
  const frame = await readFrame()
  return (
    <AppFrame {...frame} actions={{ createSample: createSample.bind(null, {}), renameChat }}>
      {children}
    </AppFrame>
  )
}
