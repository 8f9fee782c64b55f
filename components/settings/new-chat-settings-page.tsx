'use client'

import { useId, useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { LoadFailed } from '@/components/app/notice'
import { InstructionsField } from '@/components/context/instructions-box'
import { ToolChoices } from '@/components/context/tool-choices'
import { toolWords } from '@/components/context/tool-words'
import { useLoaded } from '@/components/session/read-chat'
import { ModelPicker } from '@/components/thread/model-picker'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import type { ChatDefaults, ToolList } from '@/lib/protocol'
import { SettingsPage, SettingsSection } from './settings-page'
import { SettingsRow } from './settings-row'
import { useChatDefaults } from './use-chat-defaults'

/** The longest instructions that are stored, in characters. */
const MOST = 20_000

/** Settings of new chats: instructions, model and tools. */
export function NewChatSettingsPage({ defaults }: { defaults: ChatDefaults }) {
  const { model: next, models } = useApp()
  const aboutId = useId()
  const { shown, saving, saved, problem, canUndo, write, choose, left, undo, again } =
    useChatDefaults(defaults)
  const [offered, setOffered] = useState<ToolList | null>(null)
  const loading = useLoaded<ToolList>('/api/tools', setOffered)
  const model = shown.model ?? next
  const isOffered = models.some(({ id }) => id === model)
  const callsTools = models.find(({ id }) => id === model)?.tools ?? null
  const tools = toolWords({ choices: shown.tools, offered, callsTools })
  return (
    <SettingsPage title="New chats">
      <SettingsSection
        title="Instructions"
        note="Every new chat begins with them. Chats you already have stay as they are."
      >
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the focus leaves the field within */}
        <div className="mt-4 flex flex-col gap-1.5" onBlur={left}>
          <InstructionsField aboutId={aboutId} value={shown.instructions} maxLength={MOST} onChange={write} />
          <p id={aboutId} className="text-faint text-xs">
            In a chat they stand under Instructions, where you can change them for that chat alone.
          </p>
        </div>
      </SettingsSection>
      <SettingsSection title="Model">
        <ul className="mt-4 border-line border-t">
          <SettingsRow
            title="Model of new chats"
            facts={
              shown.model === null
                ? 'The one you chose last in this browser.'
                : isOffered
                  ? 'Every new chat begins with it.'
                  : 'It is not available now: new chats begin with the one you chose last.'
            }
          >
            <ModelPicker model={model} onChange={(id) => choose({ model: id })} />
            {shown.model !== null && (
              <Button look="quiet" size="sm" onClick={() => choose({ model: null })}>
                Use the last one instead
              </Button>
            )}
          </SettingsRow>
        </ul>
      </SettingsSection>
      <SettingsSection
        title="Tools"
        note={`What the model may use in a new chat${tools ? `: ${tools}` : ''}.`}
      >
        <div className="mt-4">
          {loading.problem ? (
            <LoadFailed problem={loading.problem} onAgain={loading.again} />
          ) : offered ? (
            <ToolChoices
              offered={offered}
              choices={shown.tools}
              callsTools={callsTools}
              onChange={(chosen) => choose({ tools: chosen })}
            />
          ) : (
            <div role="status" aria-label="Loading the tools" className="flex flex-col gap-3">
              <Skeleton className="h-8" />
              <Skeleton className="h-8" />
            </div>
          )}
        </div>
      </SettingsSection>
      <div className="sticky bottom-0 mt-8 flex min-h-11 flex-wrap items-center gap-2 border-line border-t bg-canvas py-1.5 text-sm">
        <p
          role={problem ? 'alert' : 'status'}
          className={problem ? 'min-w-0 flex-1 text-danger' : 'min-w-0 flex-1 text-muted'}
        >
          {problem
            ? `Not saved yet. ${problem.detail}`
            : saving
              ? 'Saving…'
              : saved
                ? 'Saved. Your next new chat begins with it.'
                : 'Changes are saved by themselves.'}
        </p>
        {problem ? (
          <Button look="primary" size="sm" onClick={again}>
            Try again
          </Button>
        ) : (
          canUndo && (
            <Button size="sm" onClick={undo}>
              Undo
            </Button>
          )
        )}
      </div>
    </SettingsPage>
  )
}
