'use client'
import { useState } from 'react'
import ConversationGraph from '@/components/graph'
import { HintProvider } from '@/components/ui/hint'
import { applyDelta, extendIndex, type Graph, indexGraph, placeNext } from '@/lib/graph'

const texts = [
  'What is 2+2?',
  '2+2 is 4. Do you want me to explain how addition works with small integers?',
  'Plan three days in Lisbon in October, with a child of six.',
  'Day 1: Alfama on foot, tram 28 early in the morning, then the Oceanário in the afternoon; Day 2: Sintra',
  'Shorter, please',
  'And if it rains?',
  'Then take the Museu dos Coches and the Pavilhão do Conhecimento: both are indoors and good with children.',
]
function rnd(seed: number) {
  let s = seed
  return () => {
    s = (s * 1103515245 + 12345) % 2147483648
    return s / 2147483648
  }
}
function make(n: number): Graph {
  const r = rnd(7)
  let g: Graph = {
    chatId: 'c',
    seq: 0,
    title: 't',
    activeBranchId: 'b0',
    nodes: [],
    lanes: [],
    branches: [],
    checkpoints: [],
    runs: [],
  }
  const heads: (string | null)[] = [null]
  let cur = 0
  let idx = indexGraph(g)
  for (let i = 0; i < n; i++) {
    idx = extendIndex(idx, g)
    if (i > 4 && i % 2 === 0 && r() < (n > 100 ? 0.08 : 0.3)) {
      const users = g.nodes.filter((x) => x.role === 'assistant')
      const at = users[Math.floor(r() * users.length)]
      heads.push(at?.id ?? null)
      cur = heads.length - 1
    } else if (i % 2 === 0 && r() < 0.15) cur = Math.floor(r() * heads.length)
    const p = placeNext(idx, heads[cur] ?? null)
    const role = i % 2 === 0 ? 'user' : 'assistant'
    const node = {
      id: `m${i}`,
      lane: p.lane,
      depth: p.depth,
      role,
      preview: `${texts[Math.floor(r() * texts.length)]} (${i})`,
      status: i === 9 ? ('stopped' as const) : i === 13 ? ('failed' as const) : ('done' as const),
      createdAt: 1.7e12 + i * 60000,
    }
    g = { ...g, nodes: [...g.nodes, node], lanes: p.opens ? [...g.lanes, p.opens] : g.lanes }
    heads[cur] = node.id
  }
  g.branches = heads.map((h, i) => ({
    id: `b${i}`,
    name: i ? `main-v${i + 1}` : 'main',
    headId: h,
    parentBranchId: null,
    createdAt: i,
    archivedAt: null,
  }))
  if (n > 10)
    g.branches.push({
      id: 'be',
      name: 'try again',
      headId: 'm5',
      parentBranchId: null,
      createdAt: 99,
      archivedAt: null,
    })
  if (n > 10)
    g.checkpoints = [
      { id: 'k', name: 'good', messageId: 'm7', createdAt: 1 },
      { id: 'k2', name: 'before the long detour', messageId: 'm3', createdAt: 1 },
    ]
  return g
}
export function Dev({ n, kind }: { n: number; kind: string }) {
  const [graph, setGraph] = useState(() => make(n))
  const [branchId, setBranch] = useState(n > 100 ? 'b0' : 'b1')
  const [sel, setSel] = useState<string | null>(null)
  const [log, setLog] = useState('')
  const add = () => {
    const head = graph.branches.find((b) => b.id === branchId)
    if (!head) return
    const p = placeNext(indexGraph(graph), head.headId)
    const id = `x${graph.seq}`
    setGraph(
      applyDelta(graph, {
        chatId: 'c',
        seq: graph.seq + 1,
        nodes: [
          {
            id,
            lane: p.lane,
            depth: p.depth,
            role: graph.seq % 2 ? 'assistant' : 'user',
            preview: 'added',
            status: 'done',
            createdAt: 1.8e12 + graph.seq,
          },
        ],
        lanes: p.opens ? [p.opens] : [],
        branches: [{ ...head, headId: id }],
      }),
    )
  }
  const run = () => {
    const head = graph.branches.find((b) => b.id === branchId)
    setGraph(
      applyDelta(graph, {
        chatId: 'c',
        seq: graph.seq + 1,
        runs: [{ runId: 'r', branchId, replyTo: head?.headId ?? '', replyId: 'live' }],
      }),
    )
  }
  return (
    <HintProvider>
      <div className="flex h-dvh">
        {kind === 'sample' && (
          <div className="hidden w-1/2 border-r p-4 sm:block">
            <button type="button" id="add" onClick={add}>
              add
            </button>{' '}
            <button type="button" id="run" onClick={run}>
              run
            </button>
            <pre id="log">{log}</pre>
          </div>
        )}
        <div className="min-w-0 flex-1">
          <ConversationGraph
            graph={graph}
            branchId={branchId}
            selectedId={sel}
            onSelect={(id) => {
              setSel(id)
              setLog(`select ${id}`)
              const b = indexGraph(graph).branchHolding(id, branchId)
              if (b) setBranch(b.id)
            }}
            onOpen={(id) => setLog(`open ${id}`)}
            onBranchFrom={(id) => setLog(`branch ${id}`)}
            onCheckpoint={(id) => setLog(`checkpoint ${id}`)}
            onSwitch={(id) => {
              setBranch(id)
              setLog(`switch ${id}`)
            }}
            onRestore={(name) => setLog(`restore ${name}`)}
            onCompare={(id) => setLog(`compare ${id}`)}
          />
        </div>
      </div>
    </HintProvider>
  )
}
