import type { RemoteState } from '@/lib/protocol'
import type { ChatsPort } from '../../backs/chats-port'

/** The standing of a chat to each remote, as of the last exchange. */
export const readRemoteStates = async (port: ChatsPort, chatId: string): Promise<RemoteState[]> => {
  const remotes = await port.listRemotes()
  return Promise.all(remotes.map(({ name }) => port.readRemoteState(name, chatId)))
}
