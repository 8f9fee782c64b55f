'use client'

import { Flag, GitBranch } from 'lucide-react'
import type { ComponentProps } from 'react'
import { type Action, labelOf } from '@/components/actions/action'
import { backToCheckpoint, switchToBranch } from '@/components/actions/on-branch'
import { cn } from '@/components/ui/cn'
import { Menu, MenuItem } from '@/components/ui/menu'
import type { GraphBranch } from '@/lib/protocol'
import type { GraphActions } from '../model/graph-props'
import { BranchFace, branchChip, chip, FlagFace, flagChip, lineTitle } from './label-face'
import type { TitledChip } from './label-groups'

interface LabelProps {
  on: GraphActions
  /** true when Tab comes here */
  reachable: boolean
  /** a label of the past can be read, and leads nowhere */
  past: boolean
}

/** A branch or a checkpoint as a label's target. */
interface LabelLink {
  name: string
  label: string
  target: object
  run(): void
}

function linkOf<On>(action: Action<On>, on: On, name: string, target: object): LabelLink {
  return { name, label: labelOf(action, on), target, run: () => action.run(on, null) }
}

const branchLink = ({ switchTo }: GraphActions, branch: GraphBranch, title: string): LabelLink =>
  linkOf(switchToBranch, { branch, title, isHere: false, switchTo }, title, { 'data-branch': branch.id })

const checkpointLink = ({ restore }: GraphActions, name: string): LabelLink =>
  linkOf(backToCheckpoint, { checkpointName: name, restore }, name, { 'data-checkpoint': name })

interface ChipProps extends Omit<LabelProps, 'on'>, ComponentProps<'button'> {
  link?: LabelLink
}

function Chip({ link, reachable, past, title, className, style, children, ...props }: ChipProps) {
  const look = { title: title ?? link?.name, className, style }
  if (past) return <span {...look}>{children}</span>
  return (
    <button
      type="button"
      tabIndex={reachable ? 0 : -1}
      aria-label={link?.label}
      onClick={link?.run}
      {...link?.target}
      {...look}
      {...props}
    >
      {children}
    </button>
  )
}

interface BranchLabelProps extends LabelProps, TitledChip {
  isHere: boolean
  /** it holds nothing of its own yet */
  waits: boolean
  /** it stands at the beginning of its line on the map */
  look?: 'chip' | 'title' | 'lit title'
}

export function BranchLabel(props: BranchLabelProps) {
  const { on, branch, title, mark, isHere, waits, look = 'chip', past, reachable } = props
  const place = { past, reachable }
  if (look !== 'chip') {
    return (
      <Chip link={branchLink(on, branch, title)} className={lineTitle(look === 'lit title')} {...place}>
        <bdi>{title}</bdi>
      </Chip>
    )
  }
  return (
    <Chip
      link={branchLink(on, branch, title)}
      aria-description={isHere ? 'You are here' : waits ? 'Nothing of its own yet' : undefined}
      className={branchChip(branch, isHere, waits)}
      {...place}
    >
      <BranchFace title={title} mark={mark} isHere={isHere} />
    </Chip>
  )
}

/** The title of the branch being read: the button that is named after it says where one is. */
export function HereTitle({ branch, title }: Pick<TitledChip, 'branch' | 'title'>) {
  return (
    <span aria-hidden data-branch={branch.id} title={title} className={lineTitle(true)}>
      <bdi>{title}</bdi>
    </span>
  )
}

export function CheckpointFlag({ on, name, ...place }: LabelProps & { name: string }) {
  return (
    <Chip
      link={checkpointLink(on, name)}
      className={flagChip}
      {...place}
      past={place.past || on.readOnly === true}
    >
      <FlagFace name={name} />
    </Chip>
  )
}

/** Branches that were opened here and hold nothing yet, behind a count. */
export function EmptyBranches({ branches, ...props }: LabelProps & { branches: readonly TitledChip[] }) {
  const links = branches.map(({ branch, title }) => branchLink(props.on, branch, title))
  return <Counted {...props} Icon={GitBranch} links={links} many={`${links.length} empty branches`} />
}

/** The checkpoints there is no room for. They follow one with a flag, so their count needs none. */
export function MoreCheckpoints({ names, ...props }: LabelProps & { names: readonly string[] }) {
  const links = names.map((name) => checkpointLink(props.on, name))
  const past = props.past || props.on.readOnly === true
  return <Counted {...props} past={past} links={links} many={`${links.length} more checkpoints`} />
}

interface CountedProps extends Omit<LabelProps, 'on'> {
  Icon?: typeof GitBranch
  /** the name of the list */
  many: string
  links: readonly LabelLink[]
}

const countChip = cn(
  chip,
  'shrink-0 border-dashed bg-canvas px-1 text-muted hover:border-line-strong hover:text-ink',
)

/** Labels behind a count: a click uses a single label at once, and lists the names of several. */
function Counted({ Icon, many, links, reachable, past }: CountedProps) {
  const [first, ...more] = links
  if (!first) return null
  const look = {
    reachable,
    past,
    className: countChip,
    title: links.map(({ name }) => name).join(', '),
    children: (
      <>
        {Icon && <Icon size={11} aria-hidden className="shrink-0" />}
        <span aria-hidden className="tabular-nums">
          +{links.length}
        </span>
      </>
    ),
  }
  if (past || more.length === 0) return <Chip link={first} {...look} />
  const ItemIcon = Icon ?? Flag
  return (
    <Menu trigger={<Chip aria-label={many} {...look} />}>
      {links.map(({ name, label, run }) => (
        <MenuItem key={name} aria-label={label} onSelect={run}>
          <ItemIcon size={13} aria-hidden className="text-faint" />
          <bdi>{name}</bdi>
        </MenuItem>
      ))}
    </Menu>
  )
}
