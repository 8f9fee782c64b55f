import { changeChatDefaults, readChatDefaults } from '@/lib/server/api/chat-defaults'
import { routeOf } from '@/lib/server/api/operation'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(readChatDefaults, changeChatDefaults)
