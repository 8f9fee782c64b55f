'use client'

import { type ReactNode, useState } from 'react'
import { cn } from '@/components/ui/cn'
import type { ContextFragmentJson } from '@/lib/protocol'
import { dataText, type Field, shapeOf, withField } from './kinds'

interface FragmentFieldsProps {
  /** the fragment's name, for people who cannot see where a field stands */
  label: string
  name: string
  data: ContextFragmentJson['data']
  onChange(data: ContextFragmentJson['data']): void
}

/** The text of a fragment, its fields, or its JSON. */
export function FragmentFields({ label, name, data, onChange }: FragmentFieldsProps) {
  const shape = shapeOf({ name, data })
  if (shape.is === 'json') return <JsonField label={label} data={data} onChange={onChange} />
  if (shape.is === 'text') return <Area label={label} value={shape.text} onChange={onChange} />
  const { fields, values } = shape
  return (
    <div className="flex flex-col gap-1">
      {fields.map((field) => (
        <NamedArea key={field.key} field={field}>
          <Area
            label={`${label}: ${field.label}`}
            value={values[field.key] ?? ''}
            placeholder={field.optional ? 'Optional' : undefined}
            onChange={(text) => onChange(withField(fields, values, field.key, text))}
          />
        </NamedArea>
      ))}
    </div>
  )
}

const NamedArea = ({ field, children }: { field: Field; children: ReactNode }) => (
  <div className="grid grid-cols-[5.5rem_minmax(0,1fr)] items-baseline gap-2">
    <span aria-hidden className="text-faint text-xs leading-tight">
      {field.label}
    </span>
    {children}
  </div>
)

interface AreaProps {
  label: string
  value: string
  placeholder?: string | undefined
  mono?: boolean
  invalid?: boolean
  onChange(text: string): void
}

/** Text on as many lines as it needs. */
function Area({ label, value, placeholder, mono, invalid, onChange }: AreaProps) {
  return (
    <textarea
      aria-label={label}
      aria-invalid={invalid || undefined}
      dir="auto"
      rows={1}
      value={value}
      placeholder={placeholder}
      spellCheck={!mono}
      onChange={(event) => onChange(event.target.value)}
      className={cn(
        'field-sizing-content max-h-60 min-h-8 w-full resize-none rounded-md border border-line bg-raised px-2 py-1.5',
        'outline-none hover:border-line-strong focus:border-accent aria-invalid:border-danger touch:text-base',
        mono ? 'font-mono text-xs' : 'text-sm',
      )}
    />
  )
}

interface JsonFieldProps {
  label: string
  data: ContextFragmentJson['data']
  onChange(data: ContextFragmentJson['data']): void
}

/** Data of any shape as JSON. Text that is no JSON stays in the field, and changes nothing. */
function JsonField({ label, data, onChange }: JsonFieldProps) {
  const shown = dataText(data)
  const [text, setText] = useState({ of: shown, now: shown })
  // the fragment was changed from elsewhere
  if (text.of !== shown) setText({ of: shown, now: shown })
  const problem = problemIn(text.now)
  return (
    <div>
      <Area
        label={`${label}, JSON`}
        value={text.now}
        mono
        invalid={problem !== null}
        onChange={(now) => {
          const isValid = problemIn(now) === null
          const next = isValid ? (JSON.parse(now) as ContextFragmentJson['data']) : data
          setText({ of: dataText(next), now })
          if (isValid) onChange(next)
        }}
      />
      {problem && (
        <p role="alert" className="mt-1 text-danger text-xs">
          Not JSON yet, so what it said before stays in force: {problem}
        </p>
      )}
    </div>
  )
}

function problemIn(text: string): string | null {
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : 'it cannot be read'
  }
}
