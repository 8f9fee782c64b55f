import { routeOf } from '@/lib/server/api/operation'
import { readPrompt } from '@/lib/server/api/prompts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(readPrompt)
