import type { ForeignChat } from '../../foreign-chat'
import { isRecord, type Json, type JsonRecord, listAt, textAt } from '../../json/values'
import { Problems } from '../../tree/problems'
import { dateIn } from '../../tree/source-node'
import type { GatheredFormat } from '../format'
import { type Activity, chatOfActivities, isOfGemini, isTogether, sayOthers } from './gemini-activity'

const isActivity = (value: Json): value is JsonRecord =>
  isRecord(value) &&
  typeof value.title === 'string' &&
  'time' in value &&
  isOfGemini([value.header, ...listAt(value, 'products')])

/** Google Takeout's `MyActivity.json`: a list of activities, the newest first. */
export const geminiTakeout: GatheredFormat = {
  source: 'gemini',
  program: 'Gemini',
  silent: [
    ...['header', 'title', 'titleUrl', 'products', 'activityControls', 'safeHtmlItem', 'locationInfos'],
    ...['subtitles', 'details', 'imageFile', 'attachedFiles', 'audioFiles'],
  ],
  recognises: isActivity,
  gather(surroundings) {
    let problems = new Problems()
    let sitting: Activity[] = []
    let [held, others] = [0, 0]
    const chat = (): ForeignChat => {
      sayOthers(problems, others)
      const read = chatOfActivities(sitting, { ...surroundings, problems })
      problems = new Problems()
      sitting = []
      held = 0
      others = 0
      return read
    }
    return {
      get problems() {
        return problems
      },
      get held() {
        return held
      },
      add(value, bytes) {
        if (!isActivity(value)) {
          others += 1
          return null
        }
        const activity = activityIn(value, problems)
        const last = sitting.at(-1)
        const ended = last && !isTogether(last, activity) ? chat() : null
        sitting.push(activity)
        held += bytes
        return ended
      },
      end: () => (sitting.length > 0 ? [chat()] : []),
    }
  },
}

function activityIn(value: JsonRecord, problems: Problems): Activity {
  const named = ['attachedFiles', 'audioFiles'].flatMap((key) => listAt(value, key))
  const linked = listAt(value, 'subtitles').flatMap((line) => textAt(line, 'url') ?? [])
  const files = [value.imageFile, ...named, ...linked].filter((file) => typeof file === 'string')
  return {
    title: textAt(value, 'title') ?? '',
    time: dateIn(problems, value.time),
    reply: listAt(value, 'safeHtmlItem')
      .flatMap((item) => textAt(item, 'html') ?? textAt(item, 'htmlValue') ?? [])
      .join('\n'),
    files: [...new Set(files)],
  }
}
