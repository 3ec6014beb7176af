import { expect, it } from 'vitest'
import { createPalette } from '../../../1-reports/src/index.js'
import { RunningCalls } from '../../src/index.js'

const look = { palette: createPalette(false), columns: 80 }

it('shows the last lines of the one that prints, and of several a line each, as they began', () => {
  const calls = new RunningCalls(3)
  for (const id of ['a', 'b', 'c']) calls.start(id, `delegate  ${id}`)
  expect(calls.rows(look)).toEqual([])
  calls.printed('b', ['one', 'two', '', 'three', 'four'])
  expect(calls.rows(look).map((row) => row.trim())).toEqual(['two', 'three', 'four'])
  calls.printed('a', ['first', 'survey: turn 1'])
  calls.printed('b', ['notes: turn 2'])
  expect(calls.rows(look).map((row) => row.trim())).toEqual(['survey: turn 1', 'notes: turn 2'])
  expect(calls.lastLine).toBe('notes: turn 2')
  calls.end('b')
  expect(calls.rows(look).map((row) => row.trim())).toEqual(['first', 'survey: turn 1'])
  calls.clear()
  expect(calls.rows(look)).toEqual([])
})
