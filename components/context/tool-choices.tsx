'use client'

import Link from 'next/link'
import { useState } from 'react'
import { toolSettingsPath } from '@/components/app/paths'
import { Button } from '@/components/ui/button'
import { Segmented } from '@/components/ui/segmented'
import type { ChatContext, ToolList } from '@/lib/protocol'

type Choices = ChatContext['tools']
type Tool = ToolList['tools'][number]

/** So many tools can be switched on: providers take no more. */
const most = 128
/** Tools of one server that are shown at first; from so many tools on there is a box to find one. */
const first = 20
const many = 12

interface ToolChoicesProps {
  /** `GET /api/tools` */
  offered: ToolList
  choices: Choices
  /** false for a model that cannot call tools; null where that is not known */
  callsTools: boolean | null
  onChange(choices: Choices): void
}

/** The tools of a branch, and for each whether its calls wait for the person. */
export function ToolChoices({ offered, choices, callsTools, onChange }: ToolChoicesProps) {
  const [sought, setSought] = useState('')
  const words = sought.trim().toLowerCase()
  const found = offered.tools.filter(({ name, title }) => `${name} ${title}`.toLowerCase().includes(words))
  const known = new Set(offered.tools.map(({ name }) => name))
  const missing = Object.keys(choices).filter((name) => !known.has(name) && choices[name] !== 'never')
  const count = Object.values(choices).filter((approval) => approval !== 'never').length
  const choose = (name: string, approval: Choices[string]) => {
    const { [name]: _, ...others } = choices
    onChange(approval === 'never' ? others : { ...others, [name]: approval })
  }
  const rows = { choices, onChoose: choose, full: count >= most }
  return (
    <div className="flex flex-col gap-4">
      {callsTools === false && (
        <p role="note" className="text-sm text-warn">
          This model cannot use tools: none is offered to it, whatever is chosen here.
        </p>
      )}
      {count >= most && (
        <p role="status" className="text-sm text-warn">
          {most} tools are switched on, which is the most that models take.
        </p>
      )}
      {offered.tools.length > many && (
        <input
          type="search"
          aria-label="Find a tool"
          dir="auto"
          placeholder="Find a tool"
          value={sought}
          maxLength={100}
          onChange={(event) => setSought(event.target.value)}
          className="h-8 rounded-md border border-line bg-canvas px-3 text-sm outline-none focus:border-accent touch:h-11 touch:text-base"
        />
      )}
      <Group name="Built in" tools={found.filter(({ server }) => server === null)} {...rows} />
      {offered.servers.map(({ id, name, problem }) => (
        <Group
          key={id}
          name={name}
          problem={problem}
          tools={found.filter(({ server }) => server?.id === id)}
          {...rows}
        />
      ))}
      {missing.map((name) => (
        <p key={name} className="flex items-center justify-between gap-2 text-muted text-sm">
          <span className="min-w-0 break-words">
            <code className="font-mono text-xs">{name}</code> is chosen, and not available now.
          </span>
          <Button size="sm" onClick={() => choose(name, 'never')}>
            Switch off
          </Button>
        </p>
      ))}
      <Link href={toolSettingsPath} className="self-start text-muted text-sm underline underline-offset-2">
        Add a tool server
      </Link>
    </div>
  )
}

interface GroupProps {
  name: string
  /** why a server's tools are not listed */
  problem?: string | undefined
  tools: readonly Tool[]
  choices: Choices
  /** no other tool can be switched on */
  full: boolean
  onChoose(name: string, approval: Choices[string]): void
}

function Group({ name, problem, tools, ...rows }: GroupProps) {
  const [all, setAll] = useState(false)
  // in a long list the tools that were on at first stay first: no row goes from under a pointer
  const [early] = useState(() => new Set(Object.keys(rows.choices)))
  if (tools.length === 0 && !problem) return null
  const isOn = ({ name: tool }: Tool) => (rows.choices[tool] ?? 'never') !== 'never'
  const sorted =
    tools.length <= first
      ? tools
      : [...tools.filter((tool) => early.has(tool.name)), ...tools.filter((tool) => !early.has(tool.name))]
  const shown = all ? sorted : sorted.filter((tool, at) => at < first || isOn(tool))
  return (
    <section aria-label={name} className="min-w-0">
      <h3 className="pb-1 text-faint text-xs">{name}</h3>
      {problem && <p className="pb-1 text-sm text-warn">{problem}</p>}
      <ul className="border-line border-t">
        {shown.map((tool) => (
          <Row key={tool.name} tool={tool} {...rows} />
        ))}
      </ul>
      {shown.length < sorted.length && (
        <Button look="quiet" size="sm" onClick={() => setAll(true)}>
          Show all {sorted.length.toLocaleString('en')}
        </Button>
      )}
    </section>
  )
}

const options = [
  { value: 'never', label: 'Off' },
  { value: 'ask', label: 'Ask' },
  { value: 'always', label: 'Always' },
] as const

interface RowProps extends Omit<GroupProps, 'name' | 'problem' | 'tools'> {
  tool: Tool
}

function Row({ tool, choices, full, onChoose }: RowProps) {
  const { name, title, description } = tool
  const value = choices[name] ?? 'never'
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 border-line border-b py-2">
      <div className="min-w-0 flex-1 basis-40">
        <p className="truncate text-sm">{title}</p>
        <p className="line-clamp-2 break-words text-faint text-xs">{description}</p>
      </div>
      <Segmented
        label={`${title}: may it run?`}
        value={value}
        options={options}
        onChange={(approval) => {
          if (!(full && value === 'never')) onChoose(name, approval)
        }}
      />
    </li>
  )
}
