import { chatTurn } from '@/lib/server/api/chat-turn'

/** Generating may take as long as the model takes; hosts with a limit cut here. */
export const maxDuration = 300

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = chatTurn
