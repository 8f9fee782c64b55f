'use client'

import { FailedPage } from '@/components/frame/failed-page'

export default function ChatError({ reset }: { error: Error; reset(): void }) {
  return <FailedPage onRetry={reset} />
}
