'use client'

import { Cpu, KeyRound } from 'lucide-react'
import Link from 'next/link'
import { useApp } from '@/components/app/app-context'
import { modelSettingsPath } from '@/components/app/paths'
import { useChatTools } from '@/components/session/chat-context'
import type { ThreadRow } from '@/components/session/thread-rows'
import { Button } from '@/components/ui/button'
import { betterModel } from './better-model'

const look =
  'inline-flex h-7 shrink-0 items-center gap-1.5 rounded-md border border-line bg-raised px-2 font-medium text-sm transition-colors hover:border-line-strong touch:h-11'

/**
 * The way from the demo model to a real one, below its newest reply; nothing once there is a key. The replies of the
 * sample have no usage, since no model was asked.
 */
export function DemoNote({ node, message: { metadata } }: ThreadRow) {
  const { models, setModel } = useApp()
  const { retry, busy, readOnly } = useChatTools()
  if (readOnly || !metadata?.model?.startsWith('demo:') || !metadata.usage) return null
  const better = betterModel(models)
  if (better === null) return null
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 pt-3 text-muted text-sm">
      <span>The built-in demo model wrote this: it knows a few answers by heart.</span>
      {better !== 'key' ? (
        <Button
          size="sm"
          disabled={busy}
          onClick={() => {
            setModel(better.id)
            retry(node, better.id)
          }}
        >
          <Cpu size={14} aria-hidden /> Use {better.providerName} (found)
        </Button>
      ) : (
        <Link href={modelSettingsPath} className={look}>
          <KeyRound size={14} aria-hidden /> Add a key
        </Link>
      )}
    </p>
  )
}
