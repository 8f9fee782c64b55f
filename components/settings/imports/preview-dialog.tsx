'use client'

import { type ReactNode, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog, type OpenProps } from '@/components/ui/dialog'
import { counted } from '@/lib/events/counted'
import { type ImportPreview, sizeWords } from '@/lib/protocol'
import { importSourceName } from '../import-sources'
import { choiceOf, type LookedAt, type Shown, shownOf } from './preview-choice'
import { PreviewList, type ShownFile } from './preview-list'
import type { ChosenFile } from './use-import'

interface PreviewDialogProps extends OpenProps {
  looked: readonly LookedAt[]
  onImport(chosen: readonly ChosenFile[]): void
  /** takes the focus where it came from: that button was gone while the files were looked at */
  onCloseAutoFocus(event: Event): void
}

/** Chats from which on they can be searched. */
const MANY = 8

/** The chats of files that were chosen, before anything is stored: a person takes all, none or some of them. */
export default function PreviewDialog({ looked, onImport, ...dialog }: PreviewDialogProps) {
  const [files, setFiles] = useState(looked)
  const [shown, setShown] = useState<Shown>({ words: '', since: '', isNews: false })
  const lists = files.map(({ preview }): ShownFile => ({ preview, chats: shownOf(preview.chats, shown) }))
  const all = files.flatMap(({ preview }) => preview.chats)
  const chosen = files.map((one) => ({ file: one.file, choice: choiceOf(one) }))
  const change = (place: number, next: Partial<LookedAt>) =>
    setFiles(files.map((one, at) => (at === place ? { ...one, ...next } : one)))
  const choose = (place: number, ids: readonly string[], isChosen: boolean) => {
    const after = new Set(files[place]?.chosen)
    for (const id of ids) isChosen ? after.add(id) : after.delete(id)
    return { chosen: after }
  }
  const [only] = files
  const source = files.length === 1 && only ? only.preview.source : ''
  return (
    <Dialog
      {...dialog}
      title={files.length > 1 ? `Import from ${files.length} files` : 'Import chats'}
      description={`${source === '' ? '' : `From ${importSourceName(source).replace(/^A /, 'a ')}. `}Nothing is stored yet.`}
      className="w-[min(42rem,calc(100vw-2rem))] max-sm:top-2 max-sm:max-h-[calc(100dvh-1rem)] max-sm:w-[calc(100vw-1rem)]"
    >
      <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto px-5 pt-3 pb-4">
        {files.map(({ preview }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the files stay as they are
          <p key={at} className="text-muted text-sm">
            {files.length > 1 && (
              <bdi className="font-medium text-ink [overflow-wrap:anywhere]">{preview.file}: </bdi>
            )}
            {factsOf(preview)}
          </p>
        ))}
        {all.length > MANY && (
          <Filters
            shown={shown}
            hasOld={all.some(({ standing }) => standing === 'here')}
            onChange={setShown}
          />
        )}
        {all.length > 0 && (
          <PreviewList
            // another filter begins at the top
            key={`${shown.words} ${shown.since} ${shown.isNews}`}
            files={lists}
            isChosen={(place, id) => files[place]?.chosen.has(id) ?? false}
            onChoose={(place, ids, isChosen) => change(place, choose(place, ids, isChosen))}
            onChooseAll={(isChosen) =>
              setFiles(
                files.map((one, at) => ({
                  ...one,
                  ...choose(at, lists[at]?.chats.map(({ id }) => id) ?? [], isChosen),
                })),
              )
            }
          />
        )}
        {files.map(
          ({ preview, withRest }, at) =>
            preview.rest && (
              // biome-ignore lint/suspicious/noArrayIndexKey: the files stay as they are
              <Check key={at} isOn={withRest} onChange={(on) => change(at, { withRest: on })}>
                {preview.chats.length === 0 ? 'All chats' : 'The chats that follow'} of{' '}
                <bdi>{preview.file}</bdi>
              </Check>
            ),
        )}
        <Notes previews={files.map(({ preview }) => preview)} />
      </div>
      <div className="flex shrink-0 justify-end gap-2 border-line border-t px-5 py-4">
        <Button onClick={() => dialog.onOpenChange(false)}>Cancel</Button>
        <Button
          look="primary"
          onClick={() =>
            onImport(chosen.flatMap(({ file, choice }) => (choice === null ? [] : [{ file, choice }])))
          }
          disabled={chosen.every(({ choice }) => choice === null)}
        >
          {wordsOf(files)}
        </Button>
      </div>
    </Dialog>
  )
}

/** The words of the button. */
function wordsOf(files: readonly LookedAt[]): string {
  const count = files.reduce(
    (sum, { chosen, preview }) => sum + preview.chats.filter(({ id }) => chosen.has(id)).length,
    0,
  )
  if (!files.some(({ withRest }) => withRest)) return `Import ${counted(count, 'chat')}`
  if (files.every((one) => choiceOf(one) === undefined)) return 'Import all chats'
  return count === 0 ? 'Import the rest' : `Import ${counted(count, 'chat')} and the rest`
}

/** A file in a line: its chats, or how much of it was looked at. */
function factsOf({ chats, size, rest, problem_count }: ImportPreview): string {
  const sum = (of: 'messages' | 'branches') => chats.reduce((all, chat) => all + chat[of], 0)
  const branches = sum('branches')
  const found = [
    counted(sum('messages'), 'message'),
    // each chat has one
    ...(branches > chats.length ? [counted(branches, 'branch', 'branches')] : []),
  ].join(', ')
  if (!rest && chats.length === 0)
    return problem_count > 0 ? 'No chat of it can be imported: the notes say why.' : 'It holds no chats.'
  if (!rest) return `${counted(chats.length, 'chat')}, ${found}, ${sizeWords(size)}.`
  if (chats.length === 0)
    return `A file of ${sizeWords(size)}, whose chats cannot be shown before they are imported.`
  return `The first ${counted(chats.length, 'chat')} of a file of ${sizeWords(size)}; the rest follow. In these: ${found}.`
}

const field =
  'h-9 rounded-md border border-line bg-canvas px-3 outline-none focus:border-accent touch:h-11 touch:text-base'

function Filters({
  shown,
  hasOld,
  onChange,
}: {
  shown: Shown
  hasOld: boolean
  onChange(shown: Shown): void
}) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <input
        type="search"
        dir="auto"
        aria-label="Search titles"
        placeholder="Search titles"
        value={shown.words}
        onChange={({ target }) => onChange({ ...shown, words: target.value })}
        className={`${field} min-w-40 flex-1`}
      />
      <label className="flex items-center gap-2 text-muted text-sm">
        Since
        <input
          type="date"
          dir="ltr"
          value={shown.since}
          onChange={({ target }) => onChange({ ...shown, since: target.value })}
          className={field}
        />
      </label>
      {hasOld && (
        <Check isOn={shown.isNews} onChange={(isNews) => onChange({ ...shown, isNews })}>
          Only what is new since the last import
        </Check>
      )}
    </div>
  )
}

function Check({
  isOn,
  onChange,
  children,
}: {
  isOn: boolean
  onChange(on: boolean): void
  children: ReactNode
}) {
  return (
    <label className="flex min-h-8 items-center gap-3 text-sm touch:min-h-11">
      <input
        type="checkbox"
        className="size-4 shrink-0 accent-accent touch:size-5"
        checked={isOn}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span className="min-w-0 [overflow-wrap:anywhere]">{children}</span>
    </label>
  )
}

/** Lists the changes that an import makes to chats, in the words of its report. */
function Notes({ previews }: { previews: readonly ImportPreview[] }) {
  const problems = previews.flatMap((preview) => preview.problems)
  const count = previews.reduce((sum, { problem_count }) => sum + problem_count, 0)
  if (count === 0) return null
  return (
    <details className="text-sm">
      <summary className="w-fit cursor-pointer text-warn touch:py-2">
        {counted(count, 'note')} on what will not be as it was
      </summary>
      <ul className="mt-1 border-line border-l pl-3">
        {problems.map(({ chat, reason }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list stays as it is
          <li key={index} className="py-1 [overflow-wrap:anywhere]">
            <span className="font-medium">{chat}</span>: <span className="text-muted">{reason}</span>
          </li>
        ))}
        {count > problems.length && (
          <li className="py-1 text-faint">and {(count - problems.length).toLocaleString('en')} more</li>
        )}
      </ul>
    </details>
  )
}
