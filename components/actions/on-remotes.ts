import { CloudDownload, CloudUpload } from 'lucide-react'
import type { ChatSummary } from '@/lib/protocol'
import type { Action } from './action'

/** A chat that can be on other servers too. */
export interface OnRemotes {
  /** undefined while nothing of the chat is stored */
  chat: ChatSummary | undefined
  /** the names of the person's other servers: without one, nothing of them is shown */
  remotes: readonly string[]
  /** opens what is sent to a remote, or brings what one has */
  exchange(verb: 'push' | 'pull'): void
}

const isOffered = ({ chat, remotes }: OnRemotes) => chat !== undefined && remotes.length > 0

/** Actions that exchange a chat with other servers. */
export const remoteActions: readonly Action<OnRemotes>[] = [
  {
    id: 'push',
    label: 'Push…',
    git: 'push',
    words: 'remote server send upload sync',
    Icon: CloudUpload,
    when: isOffered,
    run: ({ exchange }) => exchange('push'),
  },
  {
    id: 'pull',
    label: 'Pull',
    git: 'pull',
    words: 'remote server fetch download sync',
    Icon: CloudDownload,
    when: isOffered,
    run: ({ exchange }) => exchange('pull'),
  },
]
