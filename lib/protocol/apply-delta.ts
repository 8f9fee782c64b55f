import type { Graph, GraphAgent, GraphBranch, GraphCheckpoint, GraphDelta, GraphNode, LiveRun } from './graph'

/** The log position at which a thing was last written; things not in it are as old as the loaded graph. */
interface Written {
  loadedAt: number
  at: ReadonlyMap<string, number>
}

/** The position of the end of a run: after everything. */
const over = Number.POSITIVE_INFINITY

// kept beside the graph: the graph itself stays as it is on the wire
const writtenOf = new WeakMap<Graph, Written>()

/**
 * The graph after a write. Deltas may come twice and in any order: each thing is compared by the log position it was
 * last written at, so an old delta fills gaps and keeps newer things (also removals since). A delta of another chat
 * changes nothing. Arrays that did not change keep their identity.
 *
 * @example
 * const next = deltas.reduce(applyDelta, graph)
 */
export function applyDelta(graph: Graph, delta: GraphDelta): Graph {
  if (delta.chatId !== graph.chatId) return graph
  const written = writtenOf.get(graph) ?? { loadedAt: graph.seq, at: new Map() }
  const at = new Map(written.at)
  const wins = (key: string): boolean => {
    if (delta.seq <= (at.get(key) ?? written.loadedAt)) return false
    at.set(key, delta.seq)
    return true
  }

  const nodes = withNodes(graph.nodes, delta.nodes)
  const next: Graph = {
    ...graph,
    nodes,
    seq: Math.max(graph.seq, delta.seq),
    title: delta.title !== undefined && wins('title') ? delta.title : graph.title,
    activeBranchId:
      delta.activeBranchId !== undefined && wins('active') ? delta.activeBranchId : graph.activeBranchId,
    lanes: withMissing(graph.lanes, delta.lanes, (lane) => lane.lane),
    branches: withNewer(graph.branches, delta.branches?.map(withFailure(graph)), sameId, (branch) =>
      wins(`branch ${branch.id}`),
    ),
    checkpoints: checkpointsAfter(graph.checkpoints, delta, wins),
    runs: runsAfter({ ...graph, nodes }, delta, written.loadedAt, at),
    ...contextChangesAfter(graph, delta),
    ...replaysAfter(graph, delta),
    ...agentsAfter(graph, delta, wins),
  }
  const changed = (Object.keys(next) as (keyof Graph)[]).some((key) => next[key] !== graph[key])
  if (!changed && at.size === written.at.size) return graph
  writtenOf.set(next, { loadedAt: written.loadedAt, at })
  return next
}

/** A delta that says nothing of a failure leaves it with the head whose reply failed: another model or title is no answer. */
const withFailure =
  ({ branches }: Graph) =>
  (branch: GraphBranch): GraphBranch => {
    if (branch.failure !== undefined) return branch
    const before = branches.find(({ id }) => id === branch.id)
    return before?.failure && before.headId === branch.headId
      ? { ...branch, failure: before.failure }
      : branch
  }

function contextChangesAfter(
  { contextChanges: all = [] }: Graph,
  { contextChanges: added }: GraphDelta,
): Pick<Graph, 'contextChanges'> {
  const next = withMissing(all, added, (id) => id)
  return next === all ? {} : { contextChanges: next }
}

/** The progress of a replay is no event: each replay counts its own changes. */
function replaysAfter(
  { replays: all = [] }: Graph,
  { replays: told = [] }: GraphDelta,
): Pick<Graph, 'replays'> {
  let next = all
  for (const replay of told) {
    const at = next.findIndex(({ replayId }) => replayId === replay.replayId)
    if ((next[at]?.version ?? 0) < replay.version) next = at < 0 ? [...next, replay] : next.with(at, replay)
  }
  return next === all ? {} : { replays: next }
}

function agentsAfter(
  { agents: all = [] }: Graph,
  { agents }: GraphDelta,
  wins: (key: string) => boolean,
): Pick<Graph, 'agents'> {
  const next = withNewer(all, agents, sameBranch, ({ branchId }) => wins(`agent ${branchId}`))
  return next === all ? {} : { agents: next }
}

const sameBranch = (a: GraphAgent, b: GraphAgent): boolean => a.branchId === b.branchId
const sameId = (a: GraphBranch, b: GraphBranch): boolean => a.id === b.id
/** Saving under a taken name moves that checkpoint, whatever its id. */
const sameName = (a: GraphCheckpoint, b: GraphCheckpoint): boolean => a.name === b.name || a.id === b.id

/** Messages are only added; a message that was still streaming gives way to the stored one. */
function withNodes(nodes: GraphNode[], added: GraphNode[] | undefined): GraphNode[] {
  if (!added?.length) return nodes
  const known = new Map(nodes.map((node, at) => [node.id, at]))
  const result = [...nodes]
  let changed = false
  for (const node of added) {
    const at = known.get(node.id)
    if (at === undefined) known.set(node.id, result.push(node) - 1)
    else if (result[at]?.status === 'streaming' && node.status !== 'streaming') result[at] = node
    else continue
    changed = true
  }
  return changed ? result : nodes
}

function withMissing<T>(all: T[], added: T[] | undefined, keyOf: (item: T) => unknown): T[] {
  if (!added?.length) return all
  const known = new Set(all.map(keyOf))
  const missing = added.filter((item) => !known.has(keyOf(item)))
  return missing.length > 0 ? [...all, ...missing] : all
}

function withNewer<T>(
  all: T[],
  changed: T[] | undefined,
  same: (a: T, b: T) => boolean,
  wins: (item: T) => boolean,
): T[] {
  const newer = changed?.filter(wins) ?? []
  if (newer.length === 0) return all
  const result = [...all]
  for (const item of newer) {
    const at = result.findIndex((other) => same(other, item))
    if (at < 0) result.push(item)
    else result[at] = item
  }
  return result
}

function checkpointsAfter(
  all: GraphCheckpoint[],
  delta: GraphDelta,
  wins: (key: string) => boolean,
): GraphCheckpoint[] {
  const saved = new Set(delta.checkpoints?.map(({ name }) => name))
  const removed = new Set(
    delta.removedCheckpoints?.filter((name) => !saved.has(name) && wins(`checkpoint ${name}`)),
  )
  const kept = all.some(({ name }) => removed.has(name)) ? all.filter(({ name }) => !removed.has(name)) : all
  return withNewer(kept, delta.checkpoints, sameName, ({ name }) => wins(`checkpoint ${name}`))
}

/**
 * A run begins once and ends once, so a run that has ended never returns with a late delta. A run that answers an old
 * message again begins without an event: a delta of the same position as the graph may be the first to have it. A run
 * whose reply is stored has ended, also without `endedRuns`.
 */
function runsAfter(graph: Graph, delta: GraphDelta, loadedAt: number, at: Map<string, number>): LiveRun[] {
  for (const runId of delta.endedRuns ?? []) at.set(`run ${runId}`, over)
  const isStored = (reply: string): boolean =>
    graph.nodes.some(({ id, status }) => id === reply && status !== 'streaming')
  const isLive = ({ runId, replyId }: LiveRun): boolean =>
    at.get(`run ${runId}`) !== over && !isStored(replyId)
  const kept = graph.runs.filter(isLive)
  const known = new Set(kept.map(({ runId }) => runId))
  const later = delta.seq < loadedAt ? [] : (delta.runs ?? [])
  const begun = later.filter((run) => isLive(run) && !known.has(run.runId))
  return begun.length === 0 && kept.length === graph.runs.length ? graph.runs : [...kept, ...begun]
}
