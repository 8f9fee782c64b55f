import { expect, test } from 'vitest'
import { indexGraph, repliesBeside } from '@/lib/graph'
import type { Graph, GraphBranch } from '@/lib/protocol'
import { branch, sketchGraph } from '@/testing/worlds/sketch-graph'

/** `q` is said at 0, its replies are stored at 1, 2, 3. */
const graph = (branches: GraphBranch[], more: Partial<Graph> = {}): Graph => ({
  ...sketchGraph('q', 'q>a', 'q>b', 'q>c'),
  branches,
  ...more,
})
const at = (createdAt: number, more: Partial<GraphBranch> = {}) => ({ createdAt, ...more })
const beside = (of: Graph, branchId = 'main') =>
  repliesBeside(indexGraph(of), branchId)?.replies.map((reply) => reply.branch.id) ?? null

test('given a message sent to three, then the replies of its branches stand beside each other, from each of them', () => {
  const three = graph([branch('main', 'a'), branch('two', 'b'), branch('three', 'c')])
  for (const from of ['main', 'two', 'three']) expect(beside(three, from)).toEqual(['main', 'two', 'three'])
  expect(repliesBeside(indexGraph(three), 'main')?.messageId).toBe('q')
})

test('given replies that are being written, or have failed without a word, then they stand there too', () => {
  const run = { runId: 'r', branchId: 'two', replyTo: 'q', replyId: 'x' }
  const failure = { kind: 'unknown', message: 'It failed.', advice: '' }
  const three = graph([branch('main', 'a'), branch('two', 'q'), branch('three', 'q', { failure })], {
    runs: [run],
  })
  expect(beside(three)).toEqual(['main', 'two', 'three'])
  const runs = repliesBeside(indexGraph(three), 'two')?.replies.map((reply) => reply.run)
  expect(runs).toEqual([null, run, null])
})

test('given a reply that was there when another one was asked for, then each stands alone', () => {
  const retried = graph([branch('main', 'a'), branch('again', 'b', at(1.5))])
  expect(beside(retried)).toBeNull()
  expect(beside(retried, 'again')).toBeNull()
})

test('given an answered message that was sent to two more, then those two stand beside each other, and the first alone', () => {
  const fanned = graph([branch('main', 'a'), branch('two', 'b', at(1.5)), branch('three', 'c', at(1.5))])
  expect(beside(fanned, 'three')).toEqual(['two', 'three'])
  expect(beside(fanned, 'main')).toBeNull()
})

test('given one that was tried again afterwards, then the others stay beside each other without the new one', () => {
  const fanned = graph([branch('main', 'a'), branch('two', 'b'), branch('again', 'c', at(2.5))])
  expect(beside(fanned)).toEqual(['main', 'two'])
  expect(beside(fanned, 'again')).toBeNull()
})

test('given archived branches, empty ones and one that went on, then they are not among the replies', () => {
  const more = sketchGraph('q', 'q>a', 'q>b', 'q>c', 'c>d')
  const left = [
    ...[branch('main', 'a'), branch('kept', 'b'), branch('on', 'd')],
    ...[branch('gone', 'c', { archivedAt: 9 }), branch('empty', 'q'), branch('look', 'b', at(5))],
  ]
  expect(beside({ ...more, branches: left })).toEqual(['main', 'kept'])
  for (const from of ['on', 'look', 'gone']) expect(beside({ ...more, branches: left }, from)).toBeNull()
})

test('given one reply, an empty branch or an unknown one, then there are none', () => {
  expect(beside(graph([branch('main', 'a')]))).toBeNull()
  expect(beside(graph([branch('main', null)]))).toBeNull()
  expect(beside(graph([branch('main', 'a')]), 'nowhere')).toBeNull()
})
