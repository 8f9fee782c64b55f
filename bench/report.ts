import { mkdirSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Result } from './result'

const HEADINGS = ['what', 'against', 'theirs', 'ours', 'ratio', 'target', 'met']

/** The results as a table of plain text, a paragraph for each benchmark, what was noticed below it. */
export function toTable(results: readonly Result[]): string {
  const rows = results.map(cells)
  const widths = HEADINGS.map((heading, i) =>
    Math.max(heading.length, ...rows.map((row) => row[i]?.length ?? 0)),
  )
  const line = (row: readonly string[]) =>
    row.map((cell, i) => (i < 2 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ')
  const names = [...new Set(results.map(({ bench }) => bench))]
  const paragraphs = names.map((name) => {
    const own = results.filter(({ bench }) => bench === name)
    const notes = [...new Set(own.flatMap(({ note }) => (note ? [`  · ${note}`] : [])))]
    return [`\n${name}`, ...own.map((result) => line(cells(result))), ...notes].join('\n')
  })
  return [line(HEADINGS), ...paragraphs, `\n${summary(results)}`].join('\n')
}

/** Writes the results as JSON to bench/results and returns the file. */
export function writeResults(results: readonly Result[], options: object): string {
  const folder = path.join(import.meta.dirname, 'results')
  mkdirSync(folder, { recursive: true })
  const now = new Date()
  const file = path.join(folder, `${now.toISOString().slice(0, 19).replaceAll(':', '-')}.json`)
  const machine = { cpus: os.cpus().length, model: os.cpus()[0]?.model, node: process.version }
  writeFileSync(file, `${JSON.stringify({ at: now.toISOString(), options, machine, results }, null, 2)}\n`)
  return file
}

function cells(result: Result): string[] {
  const { what, against, ours, unit, ratio, added, target, met } = result
  const limited = (value: number) => (added === undefined ? `${digits(value)}×` : figure(value, unit))
  return [
    what,
    against.name,
    figure(against.value, unit),
    figure(ours, unit),
    added === undefined ? `${digits(ratio)}×` : `${added < 0 ? '−' : '+'}${figure(Math.abs(added), unit)}`,
    target ? ('atMost' in target ? `≤ ${limited(target.atMost)}` : `≥ ${limited(target.atLeast)}`) : '–',
    met === undefined ? '–' : met ? 'yes' : 'NO',
  ]
}

function figure(value: number, unit: Result['unit']): string {
  if (unit === 'bytes') return `${Math.round(value).toLocaleString('en')} B`
  if (unit === 'rows') return `${Math.round(value).toLocaleString('en')}`
  return unit === 'per second' ? `${digits(value)}/s` : `${digits(value)} ${unit}`
}

function digits(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString('en')
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(value < 1 ? 3 : 2)
}

function summary(results: readonly Result[]): string {
  const judged = results.filter(({ met }) => met !== undefined)
  const missed = judged.filter(({ met }) => met === false)
  return `${judged.length - missed.length} of ${judged.length} targets met${missed.length > 0 ? `; missed:` : ''}${missed
    .map(({ bench, what }) => `\n  - ${bench}: ${what}`)
    .join('')}`
}
