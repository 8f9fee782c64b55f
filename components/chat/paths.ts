import type { Route } from 'next'
import type { ChatId } from '@/lib/events'

export const newChatPath = '/' as Route
export const chatPath = (id: ChatId) => `/c/${encodeURIComponent(id)}` as Route
