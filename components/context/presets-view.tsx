'use client'

import { Pencil, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '@/components/ui/button'
import { TextField } from '@/components/ui/text-field'
import { newId } from '@/lib/events'
import type { ContextPreset, PresetContent } from '@/lib/protocol'
import type { Edit, Parts } from './parts'
import { builtIns, contentOf, type PresetUse, withPreset } from './preset-content'
import { Section } from './section'
import { usePresets } from './use-presets'

interface PresetsViewProps {
  parts: Parts
  onEdit(edit: Edit, words?: string): void
  onDone(): void
}

/** Contexts under a name: the person's own and those of the app, to apply here or to add to what is here. */
export function PresetsView({ parts, onEdit, onDone }: PresetsViewProps) {
  const { presets, loading, problem, busy, save, rename, remove } = usePresets()
  const [removed, setRemoved] = useState<ContextPreset | null>(null)
  const use = (name: string, content: PresetContent) => (how: PresetUse) => {
    onEdit(
      { type: 'parts', parts: withPreset(parts, content, how, newId) },
      how === 'replace' ? `${name} is applied.` : `${name} is added.`,
    )
    onDone()
  }
  const shownProblem = problem ?? loading.problem
  return (
    <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
      {shownProblem && (
        <p role="alert" className="px-4 py-2 text-danger text-sm">
          {shownProblem.detail}
        </p>
      )}
      <Section title="Yours" note={presets?.length ? String(presets.length) : undefined}>
        {presets?.length === 0 && (
          <p className="px-4 pb-2 text-muted text-sm">
            Nothing saved yet. A preset keeps the instructions, settings and tools of this branch.
          </p>
        )}
        <ul aria-label="Your presets">
          {presets?.map((preset) => (
            <OwnPreset
              key={preset.id}
              preset={preset}
              onUse={use(preset.name, preset.content)}
              onRename={(name) => rename(preset.id, name)}
              onRemove={async () => {
                if (await remove(preset.id)) setRemoved(preset)
              }}
            />
          ))}
        </ul>
        {removed && (
          <div role="status" className="flex min-h-9 items-center gap-3 px-4 text-muted text-sm">
            <span className="min-w-0 flex-1 truncate">
              <bdi>{removed.name}</bdi> is deleted.
            </span>
            <Button
              size="sm"
              onClick={async () => {
                if (await save(removed.name, removed.content)) setRemoved(null)
              }}
            >
              Bring it back
            </Button>
          </div>
        )}
      </Section>
      <Section title="Built in">
        <ul aria-label="Built-in presets">
          {builtIns.map(({ name, about, content }) => (
            <li key={name} className="flex min-h-11 items-center gap-2 px-4 py-1">
              <span className="min-w-0 flex-1">
                <span className="block truncate text-sm">
                  <bdi>{name}</bdi>
                </span>
                <span className="block truncate text-faint text-xs">{about}</span>
              </span>
              <UseButtons name={name} onUse={use(name, content)} />
            </li>
          ))}
        </ul>
      </Section>
      <SaveForm busy={busy} onSave={(name) => save(name, contentOf(parts))} />
    </div>
  )
}

const UseButtons = ({ name, onUse }: { name: string; onUse(how: PresetUse): void }) => (
  <>
    <Button
      size="sm"
      look="quiet"
      aria-label={`Add ${name}`}
      title="Beside what is here"
      onClick={() => onUse('add')}
    >
      Add
    </Button>
    <Button
      size="sm"
      aria-label={`Apply ${name}`}
      title="In place of what is here"
      onClick={() => onUse('replace')}
    >
      Apply
    </Button>
  </>
)

function SaveForm({ busy, onSave }: { busy: boolean; onSave(name: string): Promise<boolean> }) {
  const [name, setName] = useState('')
  return (
    <form
      aria-label="Save as preset"
      className="flex items-end gap-2 px-4 py-3"
      onSubmit={async (event) => {
        event.preventDefault()
        if (name.trim() !== '' && (await onSave(name.trim()))) setName('')
      }}
    >
      {/* not focused when it appears: most come to apply one, and a phone would show its keyboard */}
      <label className="flex min-w-0 flex-1 flex-col gap-1 text-muted text-xs">
        Save what is set here as a preset
        <input
          dir="auto"
          value={name}
          maxLength={100}
          autoComplete="off"
          placeholder="Name"
          onChange={({ target }) => setName(target.value)}
          className="h-8 rounded-md border border-line bg-raised px-2 text-ink text-sm outline-none hover:border-line-strong focus:border-accent touch:h-11"
        />
      </label>
      <Button type="submit" disabled={busy || name.trim() === ''}>
        Save
      </Button>
    </form>
  )
}

interface OwnPresetProps {
  preset: ContextPreset
  onUse(how: PresetUse): void
  onRename(name: string): Promise<boolean>
  onRemove(): Promise<void>
}

function OwnPreset({ preset, onUse, onRename, onRemove }: OwnPresetProps) {
  const { name, content } = preset
  const [renaming, setRenaming] = useState<string | null>(null)
  const { length } = content.fragments
  let face: ReactNode = (
    <>
      <bdi className="block truncate text-sm">{name}</bdi>
      <span className="block truncate text-faint text-xs tabular-nums">
        {length === 1 ? '1 part' : `${length} parts`}
      </span>
    </>
  )
  if (renaming !== null) {
    face = (
      <form
        onSubmit={async (event) => {
          event.preventDefault()
          if (renaming.trim() !== '' && (await onRename(renaming.trim()))) setRenaming(null)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.preventDefault()
          setRenaming(null)
        }}
      >
        <TextField
          label={`New name of ${name}`}
          value={renaming}
          onChange={setRenaming}
          maxLength={100}
          takesFocus="all"
        />
      </form>
    )
  }
  return (
    <li className="flex min-h-11 items-center gap-1 px-4 py-1">
      <div className="min-w-0 flex-1">{face}</div>
      <Button
        look="quiet"
        size="icon-sm"
        aria-label={`Rename ${name}`}
        title={`Rename ${name}`}
        onClick={() => setRenaming(renaming === null ? name : null)}
      >
        <Pencil size={14} aria-hidden />
      </Button>
      <Button
        look="quiet"
        size="icon-sm"
        aria-label={`Delete ${name}`}
        title={`Delete ${name}`}
        onClick={() => void onRemove()}
      >
        <X size={14} aria-hidden />
      </Button>
      <UseButtons name={name} onUse={onUse} />
    </li>
  )
}
