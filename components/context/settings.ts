import type { Parts } from './parts'

/** A setting of the model, as a number field shows it. */
interface Setting {
  key: keyof Parts['settings']
  label: string
  min: number
  max: number
  step: number
  /** explanation for a person */
  about: string
}

/** The settings in the order of the panel; an empty field leaves the choice to the model. */
export const settings: readonly Setting[] = [
  {
    key: 'temperature',
    label: 'Temperature',
    min: 0,
    max: 2,
    step: 0.1,
    about: '0 says the likeliest word every time, 2 is wild',
  },
  {
    key: 'top_p',
    label: 'Top P',
    min: 0,
    max: 1,
    step: 0.05,
    about: 'The share of likely words it chooses from',
  },
  {
    key: 'presence_penalty',
    label: 'Presence penalty',
    min: -2,
    max: 2,
    step: 0.1,
    about: 'More of it brings new subjects',
  },
  {
    key: 'frequency_penalty',
    label: 'Frequency penalty',
    min: -2,
    max: 2,
    step: 0.1,
    about: 'More of it repeats fewer words',
  },
  { key: 'max_output_tokens', label: 'Longest reply', min: 1, max: 10_000_000, step: 1, about: 'In tokens' },
  {
    key: 'seed',
    label: 'Seed',
    min: Number.MIN_SAFE_INTEGER,
    max: Number.MAX_SAFE_INTEGER,
    step: 1,
    about: 'The same seed repeats a reply where the model can',
  },
]

export const settingLabel = (key: string): string =>
  settings.find((setting) => setting.key === key)?.label ?? key

/** The number of a field: undefined for an empty field, null for a text that is no number in the range. */
export function settingValue({ min, max, step }: Setting, text: string): number | undefined | null {
  if (text.trim() === '') return undefined
  const value = Number(text.replace(',', '.'))
  const isWhole = step !== 1 || Number.isInteger(value)
  return Number.isFinite(value) && isWhole && value >= min && value <= max ? value : null
}
