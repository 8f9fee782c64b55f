import type { LucideIcon } from 'lucide-react'
import type { Command } from '@/components/app/app-context'
import type { Keys } from '@/components/app/use-keys'

/**
 * An action of the page. Keys, menus, toolbars, palette and help are made from these records: a label or a key is
 * written once.
 *
 * @typeParam On its target, which `when` and `run` are given
 */
export interface Action<On> {
  id: string
  /** its name without a target, as in the help dialog */
  label: string
  /** its name on a target */
  named?(on: On): string
  /** its name where the surface shows the target */
  short?: string
  /** in a tooltip, in place of the key */
  hint?: string
  /** git's word for it */
  git?: string
  /** its purpose, as a line below its name in a menu */
  purpose?: string
  /** further words the palette finds it by, git's among them */
  words?: string
  /** Its keys, in the spelling of `keyName`; menus and tooltips show the first. `g g` is pressed twice. */
  keys?: readonly string[]
  Icon?: LucideIcon
  /** its icon where that follows from the target */
  iconOn?(on: On): LucideIcon
  danger?: boolean
  /** True where it is possible on a target. A sentence says why not: keys announce it, menus leave the action out. */
  when?(on: On): boolean | string
  /** @param from the element it was asked from, beside which a menu opens; null where that element closes */
  run(on: On, from: Element | null): void
}

/** An action on a target, ready for a menu, a toolbar or a button. */
export interface Offer extends Pick<Action<never>, 'id' | 'Icon' | 'danger' | 'git' | 'purpose'> {
  label: string
  short: string
  hint: string | undefined
  /** its key as it is shown */
  hotkey: string | undefined
  /** the same as caps */
  keys: readonly string[]
  /** shown, but disabled */
  refused: boolean
  run(from?: Element | null): void
}

export const labelOf = <On>({ named, label }: Action<On>, on: On): string => named?.(on) ?? label

/** An action on a target that is always possible. */
export function offerOf<On>(action: Action<On>, on: On, refused = false): Offer {
  const { id, iconOn, Icon = iconOn?.(on), danger, short, hint, git, purpose } = action
  const label = labelOf(action, on)
  const keys = (action.keys ?? []).slice(0, 1).flatMap(shownKeys)
  const hotkey = keys.length > 0 ? keys.join(' ') : undefined
  return {
    id,
    Icon,
    danger,
    git,
    purpose,
    label,
    hotkey,
    keys,
    refused,
    short: short ?? label,
    hint: hint ?? hotkey,
    run: (from = null) => action.run(on, from),
  }
}

/**
 * The actions that are possible on a target.
 *
 * @param withRefused adds the actions that `when` refuses with a sentence
 */
export const offers = <On>(actions: readonly Action<On>[], on: On, withRefused = false): Offer[] =>
  actions.flatMap((action) => {
    const can = action.when?.(on) ?? true
    return can === true || (can !== false && withRefused) ? [offerOf(action, on, can !== true)] : []
  })

/**
 * The handlers of actions' keys. When several actions have a key, the first that applies to the target has it.
 *
 * @param target the target, or a function that finds it when a key is pressed
 * @param say announces why an action is not possible
 */
export function keysOf<On extends object>(
  actions: readonly Action<On>[],
  target: On | (() => On),
  say?: (why: string) => void,
): Keys {
  const names = new Set(actions.flatMap(({ keys = [] }) => keys))
  const press = (name: string) => () => {
    const on = typeof target === 'function' ? target() : target
    for (const action of actions) {
      const can = action.keys?.includes(name) ? (action.when?.(on) ?? true) : false
      if (can === false) continue
      if (can === true) action.run(on, document.activeElement)
      else say?.(can)
      return true
    }
    return false
  }
  return Object.fromEntries([...names].map((name) => [name, press(name)]))
}

/**
 * Actions as the palette lists them.
 *
 * @param now the target; asked again when a command is chosen, since the page may have changed
 */
export function commandsOf<On>(
  group: string,
  actions: readonly Action<On>[],
  now: () => On,
  id = '',
): Command[] {
  return actions
    .filter((action) => (action.when?.(now()) ?? true) === true)
    .map((action) => ({
      id: `${action.id} ${id}`,
      group,
      label: action.named && id !== '' ? action.named(now()) : action.label,
      words: action.words,
      keys: action.keys?.slice(0, 1).flatMap(shownKeys),
      run: () => action.run(now(), null),
    }))
}

const faces: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
}

/** The keys of a name as they are printed on a keyboard, to press together or one after another. */
export const shownKeys = (name: string): string[] => name.split(/ |(?<=.)\+/).map((key) => faces[key] ?? key)
