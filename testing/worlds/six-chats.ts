import type { Graph } from '@/lib/protocol'
import { dice } from './dice'
import { branch, sketchGraph } from './sketch-graph'

// The six chats that a map is looked at with: of one line and of many, short and long.

interface Line {
  name: string
  /** the message it forks from */
  from?: string
  length: number
}

/** A line of messages `name1`, `name2`, …, as `sketchGraph` has them. */
const messagesOf = ({ name, from, length }: Line): string[] =>
  Array.from({ length }, (_, at) => {
    const parent = at === 0 ? from : `${name}${at}`
    return parent === undefined ? `${name}1` : `${parent}>${name}${at + 1}`
  })

const things = [
  'the castle',
  'the old harbour',
  'a garden',
  'trains and trams',
  'the market hall',
  'dinner, if it rains',
]

/** A chat of lines with words to read; the branch of the last line is read unless another is named. */
function chatOf(lines: readonly Line[], checkpoints: Readonly<Record<string, string>> = {}): Graph {
  const sketch = sketchGraph(...lines.flatMap(messagesOf))
  const nodes = sketch.nodes.map((node, at) => {
    const thing = things[at % things.length]
    const asked = `And ${thing}: is it worth a morning when one of us is on crutches? (${node.id})`
    const preview =
      node.role === 'user' ? asked : `I would see ${thing} early, and keep the rest of the day. (${node.id})`
    return { ...node, preview, createdAt: at * 60_000 }
  })
  const branches = lines.map(({ name, length }, at) =>
    branch(at === 0 ? 'main' : `main-v${at + 1}`, `${name}${length}`, {
      parentBranchId: at === 0 ? null : 'main',
      createdAt: at,
    }),
  )
  const flags = Object.entries(checkpoints).map(([name, messageId]) => ({
    id: name,
    name,
    messageId,
    createdAt: 0,
  }))
  return { ...sketch, nodes, branches, checkpoints: flags }
}

function forest(): Graph {
  const { roll } = dice(7)
  const lines: Line[] = [{ name: 'a', length: 2000 }]
  for (let at = 1; at < 300; at++) {
    const on = lines[roll(3) === 0 ? roll(lines.length) : 0] as Line
    lines.push({ name: `b${at}x`, from: `${on.name}${1 + roll(on.length)}`, length: 1 + roll(53) })
  }
  return chatOf(lines)
}

/** Makers of the six chats, by their names. */
export const sixChats: Readonly<Record<string, () => Graph>> = {
  sample: () => {
    const graph = chatOf(
      [
        { name: 'm', length: 6 },
        { name: 'gentle', from: 'm3', length: 14 },
        { name: 'beach', from: 'gentle4', length: 3 },
        { name: 'veg', from: 'gentle1', length: 4 },
        { name: 'porto', from: 'm2', length: 4 },
      ],
      { 'day one settled': 'gentle1', 'before deciding on day two': 'gentle4' },
    )
    const nodes = graph.nodes.map((node) =>
      node.id === 'gentle10' ? { ...node, mergeParentId: 'beach3' } : node,
    )
    return { ...graph, nodes }
  },
  'forty in a line': () => chatOf([{ name: 'm', length: 40 }]),
  'eleven branches': () =>
    chatOf([
      { name: 'm', length: 40 },
      ...Array.from({ length: 10 }, (_, at) => ({ name: `v${at}x`, from: `m${at * 4 + 2}`, length: 6 })),
    ]),
  'five hundred in a line': () => chatOf([{ name: 'm', length: 500 }]),
  'sixty steps': () => {
    const graph = chatOf([{ name: 'm', length: 61 }])
    return {
      ...graph,
      nodes: graph.nodes.map((node, at) => ({
        ...node,
        role: at === 0 ? 'user' : at % 2 ? 'assistant' : 'tool',
      })),
    }
  },
  'three hundred branches': forest,
}

/** Chats whose words are hard to place: many short lines below each other, and words of scripts that are wider or run left. */
export const hardChats: Readonly<Record<string, () => Graph>> = {
  'forty versions': () =>
    chatOf([
      { name: 'm', length: 3 },
      ...Array.from({ length: 39 }, (_, at) => ({ name: `v${at}x`, from: 'm2', length: 1 })),
    ]),
  'words of other scripts': () => {
    const graph = chatOf([
      { name: 'm', length: 12 },
      ...otherScripts.map((_, at) => ({ name: `s${at}x`, from: `m${at + 2}`, length: 5 })),
    ])
    const nodes = graph.nodes.map((node) => {
      const said = otherScripts[Number(/^s(\d)/.exec(node.id)?.[1])]
      return said === undefined ? node : { ...node, preview: `${said} (${node.id})` }
    })
    return { ...graph, nodes }
  },
}

/** Arabic, Hebrew, Chinese, Japanese, Korean, Thai, Hindi, Tamil, and Hebrew with English in it. */
const otherScripts = [
  'هل يستحق القصر القديم زيارة في الصباح إذا كان أحدنا يمشي على عكازين؟',
  'האם כדאי לבקר בטירה הישנה בבוקר אם אחד מאיתנו הולך עם קביים?',
  '如果我们当中有一个人拄着拐杖，早上去参观那座古老的城堡值得吗？',
  '松葉杖の人がいる場合、朝に古い城を見に行く価値はありますか？',
  '우리 중 한 명이 목발을 짚고 있는데 아침에 오래된 성을 보러 갈 만할까요?',
  'ถ้าหนึ่งในพวกเราใช้ไม้ค้ำยัน การไปเที่ยวปราสาทเก่าในตอนเช้าคุ้มค่าไหม',
  'अगर हममें से कोई बैसाखी पर है तो क्या सुबह पुराना किला देखना ठीक रहेगा?',
  'எங்களில் ஒருவர் ஊன்றுகோலில் இருந்தால் பழைய கோட்டையைப் பார்க்கத் தகுமா',
  'את Castelo de São Jorge כדאי לראות מוקדם, לפני Sintra',
]
