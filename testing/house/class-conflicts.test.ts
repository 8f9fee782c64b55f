import { expect, test } from 'vitest'
import { classConflicts } from './class-conflicts'
import { sources } from './sources'

test('no element is given two classes that set the same thing', () => {
  const files = [...sources('app', 'components')].filter(([file]) => !/\.test\.tsx?$/.test(file))
  expect(classConflicts(new Map(files))).toEqual([])
})

test('two classes of one call, and those of a primitive and its caller, are compared', () => {
  const files = {
    'box.tsx': `export function Box({ className }) { return <p className={cn('flex text-sm', className)} /> }`,
    'use.tsx': `const a = <Box className="text-xs" />; cn('p-2', open ? 'p-4' : 'm-1'); cn(open ? 'm-1' : 'm-2')`,
  }
  expect(classConflicts(new Map(Object.entries(files)))).toEqual([
    'use.tsx:1: text-sm text-xs',
    'use.tsx:1: p-2 p-4',
  ])
})
