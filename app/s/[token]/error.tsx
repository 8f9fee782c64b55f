'use client'

import { FailedPage } from '@/components/frame/failed-page'

export default function SharedChatError({ reset }: { error: Error; reset(): void }) {
  return <FailedPage onRetry={reset} />
}
