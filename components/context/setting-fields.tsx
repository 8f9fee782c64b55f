'use client'

import { useState } from 'react'
import { cn } from '@/components/ui/cn'
import type { Edit, Parts } from './parts'
import { Section } from './section'
import { settings, settingValue } from './settings'

interface SettingFieldsProps {
  values: Parts['settings']
  onEdit(edit: Edit): void
}

type Setting = (typeof settings)[number]

/** Temperature and the like. */
export function SettingFields({ values, onEdit }: SettingFieldsProps) {
  const change = (key: Setting['key'], value: number | undefined) => {
    const { [key]: _before, ...rest } = values
    onEdit({ type: 'parts', parts: { settings: value === undefined ? rest : { ...rest, [key]: value } } })
  }
  return (
    <Section title="Settings">
      <div className="grid grid-cols-2 gap-x-4 gap-y-2 px-4 pb-1">
        {settings.map((setting) => (
          <NumberField
            key={setting.key}
            setting={setting}
            value={values[setting.key]}
            onChange={(value) => change(setting.key, value)}
          />
        ))}
      </div>
    </Section>
  )
}

interface NumberFieldProps {
  setting: Setting
  value: number | undefined
  onChange(value: number | undefined): void
}

/** A number, or nothing. A text that is no number in the range stays in the field, and changes nothing. */
function NumberField({ setting, value, onChange }: NumberFieldProps) {
  const { label, about, min, max, key } = setting
  const shown = value === undefined ? '' : String(value)
  const [text, setText] = useState({ of: shown, now: shown })
  // the setting was changed from elsewhere
  if (text.of !== shown) setText({ of: shown, now: shown })
  const isOff = settingValue(setting, text.now) === null
  return (
    <label className="flex min-w-0 flex-col gap-0.5 text-xs" title={about}>
      <span className="flex justify-between gap-2 text-muted">
        {label}
        {key !== 'seed' && key !== 'max_output_tokens' && (
          <span className="text-faint tabular-nums">
            {signed(min)} to {max}
          </span>
        )}
      </span>
      <input
        inputMode="decimal"
        value={text.now}
        placeholder="The model’s choice"
        aria-invalid={isOff || undefined}
        onChange={({ target }) => {
          const next = settingValue(setting, target.value)
          setText({
            of: next === null || next === undefined ? (next === null ? shown : '') : String(next),
            now: target.value,
          })
          if (next !== null) onChange(next)
        }}
        className={cn(
          'h-8 w-full rounded-md border border-line bg-raised px-2 text-ink text-sm tabular-nums outline-none',
          'hover:border-line-strong focus:border-accent aria-invalid:border-danger touch:h-11',
        )}
      />
      {isOff && (
        <span className="text-danger">
          A number from {min} to {max}. In force: {shown === '' ? 'the model’s choice' : shown}.
        </span>
      )}
    </label>
  )
}

/** A number with a minus as wide as a plus. */
const signed = (value: number): string => String(value).replace('-', '−')
