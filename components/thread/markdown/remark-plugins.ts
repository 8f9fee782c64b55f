import { defaultRemarkPlugins } from 'streamdown'
import { beyondGfm, gfmOptions, lineBreak } from '@/lib/markdown/dialect'

/** The parts of an MDAST node that are needed here. */
interface MdastNode {
  type: string
  value?: string
  children?: MdastNode[]
}

/** The part of a processor that holds what micromark is extended with. */
interface Processor {
  data(): { micromarkExtensions?: unknown[] }
}

const [remarkGfm] = [defaultRemarkPlugins.gfm].flat()

function remarkBeyondGfm(this: unknown): void {
  const data = (this as Processor).data()
  data.micromarkExtensions ??= []
  data.micromarkExtensions.push(...beyondGfm())
}

/** Makes new lines of `<br>`; other HTML stays text. */
function remarkLineBreaks() {
  const walk = (node: MdastNode): void => {
    for (const child of node.children ?? []) {
      if (child.type === 'html' && lineBreak.test(child.value ?? '')) {
        child.type = 'break'
        delete child.value
      } else walk(child)
    }
  }
  return walk
}

/** The Markdown of replies, for Streamdown. */
export const remarkPlugins = [[remarkGfm, gfmOptions], remarkBeyondGfm, remarkLineBreaks] as NonNullable<
  Parameters<typeof import('streamdown').Streamdown>[0]['remarkPlugins']
>
