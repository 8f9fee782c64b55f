import { expect, it } from 'vitest'
import { cpuTime } from '@/testing/worlds/cpu-time'
import { saidInPiece, saidWords, splitSaid } from './said-words'

const reminder =
  "<system-reminder>\nAs you answer, you can use the following context:\n# currentDate\nToday's date is 2026-11-27.\n</system-reminder>"

it.each([
  ['a reminder before', `${reminder}\n\n\nFix the bug`, 'Fix the bug'],
  ['a reminder after', `Fix the bug\n${reminder}`, 'Fix the bug'],
  ['two, and words between', `${reminder}\nFix\n${reminder}\nthe bug`, 'Fix\nthe bug'],
  ['details of an editor', 'Fix it\n<environment_details>\n# Open files\n</environment_details>', 'Fix it'],
  ['what a block of the person says', '<task>\nFix the bug\n</task>', 'Fix the bug'],
  [
    'a query beside open files',
    '<open_and_viewed_files>\na.ts\n</open_and_viewed_files>\n<user_query>\nWhy?\n</user_query>',
    'Why?',
  ],
  [
    'a command',
    '<command-name>/review</command-name>\n   <command-message>review</command-message>\n   <command-args>the last change</command-args>',
    '/review\nthe last change',
  ],
  [
    'a file of instructions',
    '# AGENTS.md instructions for /home\n\n<INSTRUCTIONS>\nBe kind.\n</INSTRUCTIONS>\nGo',
    'Go',
  ],
])('what a person said is told apart from %s', (_, text, said) => {
  expect(splitSaid(text).said).toBe(said)
  expect(saidWords(text)).toBe(said)
})

it.each([
  'Why does <div>\n<p>this</p></div> not align?',
  '<section>\nA page\n</section>',
  '<my-element>\nOf my page\n</my-element>',
  'What is a <system-reminder> block?',
  '<system-reminder> that is never closed',
  'a < b and b > c',
  '',
])('words of a person stay as they are: %j', (text) => {
  expect(splitSaid(text)).toEqual({ said: text, injected: [] })
})

it('a message that a client wrote alone is called by what it holds', () => {
  expect(saidWords('<environment_context>\n  <cwd>/home</cwd>\n</environment_context>')).toBe(
    '[environment context]',
  )
  expect(
    saidWords('This is the Qwen Code. We are setting up the context for our chat.\nToday is Friday.'),
  ).toBe('[context]')
})

it('a megabyte of blocks that are never closed is split in a moment', () => {
  const text = '<system-reminder>\n<a_context>\n<x>\n'.repeat(30_000)
  const worked = cpuTime()
  expect(splitSaid(text).injected).toEqual([])
  expect(worked()).toBeLessThan(2000)
})

it('a piece of a text says what the person said, also where a block is cut', () => {
  expect(saidInPiece('of the day.\n</system-reminder>\nFix the bug')).toBe('\nFix the bug')
  expect(saidInPiece('Fix the bug\n<system-reminder>\nThe date')).toBe('Fix the bug')
  expect(saidInPiece(`Fix <b>the</b> bug`)).toBe('Fix <b>the</b> bug')
})
